"""A small picture: lines and short texts on white, written as PNG without further packages."""

from __future__ import annotations

import struct
import zlib

Colour = tuple[int, int, int]
Place = tuple[int, int]

LETTER_WIDTH, LETTER_HEIGHT = 5, 7
_DASH = 4

# Five columns a letter, each a byte whose lowest bit is the top row.
_FONT_LETTERS = " %-./0123456789:_abcdefghijklmnopqrstuvwxyz"
_FONT = bytes.fromhex(
    "0000000000" "2313086462" "0808080808" "0060600000" "2010080402"
    "3e5149453e" "00427f4000" "4261514946" "2141454b31" "1814127f10" "2745454539" "3c4a494930"
    "0171090503" "3649494936" "064949291e" "0036360000" "4040404040"
    "2054545478" "7f48444438" "3844444420" "384444487f" "3854545418" "087e090102" "0c5252523e"
    "7f08040478" "00447d4000" "2040443d00" "7f10284400" "00417f4000" "7c04180478" "7c08040478"
    "3844444438" "7c14141408" "081414187c" "7c08040408" "4854545420" "043f444020" "3c4040207c"
    "1c2040201c" "3c4030403c" "4428102844" "0c5050503c" "4464544c44"
)  # fmt: skip


class Canvas:
    """A white picture of so many dots; (0, 0) is its top left corner."""

    def __init__(self, width: int, height: int) -> None:
        """Begin with white."""
        self._width, self._height = width, height
        self._dots = bytearray(b"\xff" * (3 * width * height))

    def dot(self, place: Place, colour: Colour) -> None:
        """Colour one dot; one outside the picture is left out."""
        x, y = place
        if 0 <= x < self._width and 0 <= y < self._height:
            start = 3 * (y * self._width + x)
            self._dots[start : start + 3] = bytes(colour)

    def line(
        self, start: Place, end: Place, colour: Colour, *, thick: bool = False, dashed: bool = False
    ) -> None:
        """Draw a straight line."""
        (x, y), (to_x, to_y) = start, end
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for step in range(steps + 1):
            if dashed and step // _DASH % 2:
                continue
            across = x + round((to_x - x) * step / steps)
            down = y + round((to_y - y) * step / steps)
            self.dot((across, down), colour)
            if thick:
                self.dot((across, down + 1), colour)

    def text(self, place: Place, words: str, colour: Colour) -> None:
        """Write a few small letters; what the font does not have is left blank."""
        x, y = place
        for number, letter in enumerate(words.lower()):
            known = max(0, _FONT_LETTERS.find(letter))
            columns = _FONT[known * LETTER_WIDTH : (known + 1) * LETTER_WIDTH]
            for across, column in enumerate(columns):
                for down in range(LETTER_HEIGHT + 1):
                    if column >> down & 1:
                        self.dot((x + number * (LETTER_WIDTH + 1) + across, y + down), colour)

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        stride = 3 * self._width
        rows = b"".join(
            b"\0" + bytes(self._dots[row * stride : (row + 1) * stride])
            for row in range(self._height)
        )
        head = struct.pack(">IIBBBBB", self._width, self._height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, parts))


def _chunk(part: tuple[bytes, bytes]) -> bytes:
    kind, body = part
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
