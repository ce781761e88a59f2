"""How an order to forget one's orders is given in other languages, and how a password is asked for.

Each language has a few words for *ignore* and for *instructions*; what counts is that they
stand together, in whichever order the language puts them, and that the first is not denied: *do
not forget* asks for the opposite. Roots are written, not whole words, so that endings need no
list. Letters that look Latin were replaced in the text (`disguises`), so they are replaced here
as well.
"""

# ruff: noqa: E501 - words of many scripts, a language or two a line
from __future__ import annotations

from helix.rules.screening.disguises import LOOK_ALIKES

_IGNORE = (
    "ignora", "olvida", "omite", "descarta", "haz caso omiso",  # Spanish
    "ignorez", "ignore les", "ignore toutes", "ignore ces", "oublie", "fais abstraction",  # French
    "ignorier", "vergiss", "missachte",  # German
    "dimentica", "trascura",  # Italian
    "ignore as", "ignore todas", "ignore tudo", "desconsider", "esqueça", "esqueca",  # Portuguese
    "negeer", "vergeet",  # Dutch
    "zignoruj", "ignoruj", "zapomnij", "pomiń",  # Polish
    "ignorera", "glöm", "ignorér", "glem",  # Swedish, Danish, Norwegian
    "игнориру", "забудь",  # Russian
    "ігноруй", "забудь",  # Ukrainian
    "yok say", "görmezden gel",  # Turkish
    "bỏ qua", "abaikan", "lupakan",  # Vietnamese, Indonesian
    "忽略", "忽视", "无视", "無視", "忘记", "忘掉",  # Chinese, Japanese
    "忘れ", "무시", "잊어", "تجاهل", "अनदेखा",  # Japanese, Korean, Arabic, Hindi
)  # fmt: skip
_NOT_BEFORE = (
    "no ", "no te ", "pas ", "no se ", "non ", "não ", "nao ", "não se ", "nie ", "не ", "đừng ", "jangan ",
    "不要", "被", "(?<![特分个])别", "勿", "不能", "不可", "不会", "لا ", "لا ت",
)  # fmt: skip
_NOT_AFTER = (
    " nicht", " bitte nicht", "z pas", " pas", "z surtout pas", " surtout pas", " niet", " inte",
    " ikke", "ない", "ず", "しない", "しません", "하지 마", "하지 않", " न ", " मत ",
)  # fmt: skip
_SO_FAR = (
    "之前", "以上", "上述", "上面", "前面", "先前", "此前", "前文", "上記", "以前", "これまで", "前述",
)  # fmt: skip
_OF = (
    "",
    "的",
    "の",
    "所有",
    "的所有",
    "的一切",
    "的全部",
    "全部",
    "对话",
    "的对话",
    "すべての",
    "の会話",
)
_INSTRUCTIONS = (
    "instruccion", "indicacion", "instruction", "consigne", "anweisung", "vorgabe", "istruzion",
    "instruç", "instruc", "instructie", "opdracht", "instrukcj", "poleceń", "instruktion", "instruks",
    "инструкц", "указани", "інструкц", "talimat", "hướng dẫn", "chỉ dẫn", "instruksi", "perintah",
    "指令", "指示", "提示", "命令", "지시", "명령", "تعليمات", "निर्देश",
    # Content by itself may be a cache's or a file's.
    *(f"{before}{of}内容" for before in _SO_FAR for of in _OF),
)  # fmt: skip
_ASKED = (
    "cuál es", "dime", "quel est", "quelle est", "dis-moi", "was ist", "wie lautet", "nenn mir",
    "qual è", "dimmi", "qual é", "diga", "wat is", "jakie jest", "jaki jest", "vad är", "какой",
    "скажи", "nedir", "什么", "告诉", "教え", "何ですか", "무엇", "알려",
)  # fmt: skip
_PASSWORD = (
    "contraseña", "mot de passe", "passwort", "kennwort", "parola d'ordine", "password", "senha",
    "wachtwoord", "hasło", "lösenord", "пароль", "şifre", "parola", "密码", "パスワード", "비밀번호",
)  # fmt: skip


def _near(first: str, second: str) -> str:
    return rf"{first}[^.;\n\u3002]{{0,40}}{second}|{second}[^.;\n\u3002]{{0,20}}{first}"


def _any(roots: tuple[str, ...]) -> str:
    # Scripts without spaces have no beginnings of words to look for.
    spaced = "|".join(each for each in roots if each[0].isascii())
    unspaced = "|".join(each for each in roots if not each[0].isascii())
    return rf"(?:\b(?:{spaced})|(?:{unspaced}))".translate(LOOK_ALIKES)


def _undenied(roots: str) -> str:
    before = "".join(f"(?<!{each})" for each in _NOT_BEFORE)
    return rf"{before}{roots}(?!{'|'.join(_NOT_AFTER)})".translate(LOOK_ALIKES)


OVERRIDE = _near(_undenied(_any(_IGNORE)), _any(_INSTRUCTIONS))
OVERRIDE_HINTS = "|".join(_IGNORE).translate(LOOK_ALIKES)
ASKED = _near(_any(_ASKED), _any(_PASSWORD))
ASKED_HINTS = "|".join(_PASSWORD).translate(LOOK_ALIKES)
