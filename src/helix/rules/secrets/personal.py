"""Data about people: mail addresses, telephone and card numbers, national ids, IP addresses.

Off unless the user asks for it: a memory of coding work lives by names and addresses.
"""

from __future__ import annotations

from collections.abc import Iterator

from helix.rules.patterns import lazy

_MAIL = lazy(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])")
_PHONE = lazy(
    r"(?<![\w.+/-])(?:\+|00)\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}(?![\w-])"
    r"|(?<![\w.+/-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])"
)
_CARD = lazy(r"(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])")
_IP = lazy(r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.])")
_SOCIAL = lazy(r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_IBAN = lazy(
    r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])"
)
_NOT_A_PERSON = lazy(r"(?i)^(?:noreply|no-reply|git)@|@(?:example|users\.noreply)\.")
_NOT_A_HOST = frozenset({"127.0.0.1", "0.0.0.0", "255.255.255.255", "255.255.255.0"})


def personal(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where data about people stands."""
    if "@" in text:
        for found in _MAIL.finditer(text):
            if not _NOT_A_PERSON.search(found[0]):
                yield *found.span(), "mail-address"
    if not any(map(str.isdigit, text)):
        return
    yield from ((*found.span(), "national-id") for found in _SOCIAL.finditer(text))
    yield from ((*each.span(), "iban") for each in _IBAN.finditer(text) if _iban(each[0]))
    yield from ((*each.span(), "card-number") for each in _CARD.finditer(text) if luhn(each[0]))
    yield from ((*found.span(), "phone-number") for found in _PHONE.finditer(text))
    for found in _IP.finditer(text):
        if found[0] not in _NOT_A_HOST:
            yield *found.span(), "ip-address"


def luhn(number: str) -> bool:
    """Return whether the digits of a number have a card's check digit."""
    digits = [int(each) for each in number if each.isdigit()]
    doubled = sum(sum(divmod(2 * each, 10)) for each in digits[-2::-2])
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + doubled) % 10 == 0


def _iban(text: str) -> bool:
    plain = text.replace(" ", "")
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(each, 36)) for each in turned)) % 97 == 1
