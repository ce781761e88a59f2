"""Codes: what failed, which ticket, which version.

Exceptions, compiler and driver codes, errno names, HTTP statuses, CVEs, issue and ticket
numbers, versions. A bare number is a code only beside the word that makes it one.
"""

from __future__ import annotations

import re

from helix.rules.patterns import lazy
from helix.rules.tokens import Place
from helix.rules.vocabulary import listed

_EXCEPTION_ENDS = ("Error", "Exception", "Warning", "Fault", "Interrupt", "Violation", "Exit", "()")
_EXCEPTION = lazy(
    r"(?:[a-z_]\w*\.){0,6}"
    r"(?!(?:Get|Handle|Has|Is|Log|New|On|Print|Return|Set|Show|Throw)[A-Z])"
    r"([A-Z]\w*[a-z0-9](?:Error|Exception|Warning|Fault|Interrupt|Violation)|SystemExit)(?:\(\))?"
)
_CODE = lazy(
    r"E\d{3,5}|[FBN]\d{3}|[WSCR]\d{3,4}|D[1-4]\d\d"
    r"|(?:TS|CS|SC|DL|PLC|PLE|PLR|PLW|RUF|SIM|PERF|BLE|ANN|LNK|MSB|NU|CA|IDE|SA|UP|PT|PTH|DTZ|TC)"
    r"\d{3,5}"
    r"|\w*ERR(?:OR)?_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_ERR(?:OR)?"
    r"|(?:ORA|PLS|TNS|DB2|MY|PGRST|SQLSTATE|AADSTS|KB|DPY|DPI|INS|RMAN|NETSDK)-?\d{3,7}"
    r"|CVE-\d{4}-\d{4,7}|RUSTSEC-\d{4}-\d{4}|PYSEC-\d{4}-\d+"
    r"|SIG(?:ABRT|BUS|FPE|HUP|ILL|INT|KILL|PIPE|SEGV|TERM|TRAP|USR1|USR2|CHLD)"
    r"|0x[0-9A-Fa-f]{8}"
    r"|(?:EACCES|EADDRINUSE|EADDRNOTAVAIL|EAGAIN|EBADF|EBUSY|ECANCELED|ECHILD|ECONNABORTED"
    r"|ECONNREFUSED|ECONNRESET|EEXIST|EFAULT|EFBIG|EHOSTUNREACH|EINTR|EINVAL|EIO|EISDIR|ELOOP"
    r"|EMFILE|EMLINK|ENAMETOOLONG|ENETUNREACH|ENFILE|ENODEV|ENOENT|ENOEXEC|ENOLCK|ENOMEM|ENOSPC"
    r"|ENOSYS|ENOTCONN|ENOTDIR|ENOTEMPTY|ENOTFOUND|ENOTSUP|EOVERFLOW|EPERM|EPIPE|EPROTO|ERANGE"
    r"|ERESOLVE|EROFS|ESRCH|ESTALE|ETIMEDOUT|EXDEV|E2BIG)"
)
_ADVISORY = lazy(r"GHSA(?:-[a-z0-9]{4}){3}")
_ISSUE = lazy(r"(?:[\w.-]{1,60}/[\w.-]{1,60})?#(\d{1,5})|([A-Z]{2,10})-\d{1,6}")
_NOT_ISSUES = listed(
    """
    ADR AES AM ARM CIS COVID CP CRC EC ECMA ES FIPS GMT GPT HTTP IEC IEEE IPV ISO LEVEL MD MP
    NIST OAUTH PEP PG PHASE PM RFC RSA RTX SHA SOC STEP TIER TLS TOP TV UCS USB UTC UTF WCAG XP
    """
)
_VERSION = lazy(
    r"v\d+(?:\.\d+){1,2}(?:[-+.]?[A-Za-z][\w.-]*)?|\d+\.\d+\.\d+(?:[-+.]?[A-Za-z][\w.+-]*)?"
)

_HTTP_STATUS = range(100, 600)
_HTTP_FAILURE = range(400, 600)
_HTTP_WORDS = listed("code http status https")
_MAY_RETURN = listed(
    "a an error errors get gets getting gives gave got is return returned returning returns see saw"
    " the threw throws was with"
)
_AFTER_STATUS = lazy(
    r"['\u2019]?s?(?=[.,;:!?)\]'\"`]|$|\n"
    r"| (?:and|because|but|errors?|for|from|if|in|instead|on|responses?|status|when|while)\b"
    r"| (?:bad|conflict|forbidden|gateway|internal|not found|service|too many|unauth|unprocess))",
    re.IGNORECASE,
)
_BESIDE_STATUS = (" ", ": ", ":", "=", " = ", " (", " `")
_BEFORE_ISSUE = listed("bug issue issues ticket tickets")
_BEFORE_ANY_ISSUE = listed("gh mr pr")
_FIRST_TELLING_ISSUE = 10  # below it, "issue 2" is more often the second of a list
_BEFORE_EXIT = lazy(r"\bexit(?:ed|s)?(?: with)?(?: code| status)?[ :=]{1,2}$", re.IGNORECASE)
_EXIT_LOOK_BACK = 24  # letters, as "exited with status: "
_LONGEST_NUMBER = 6  # digits
_ORDINARY_EXITS = range(3)  # 0, 1 and 2 say success, failure and misuse of everything


def code_of(token: str) -> tuple[str, str] | None:
    """Return the kind and name of a token written like a code, an issue or a version."""
    if token.endswith(_EXCEPTION_ENDS) and (exception := _EXCEPTION.fullmatch(token)):
        return "error_code", exception[1]
    if not (token[-1].isdigit() or token[0].isdigit() or token.isupper() or "_" in token):
        return ("error_code", token) if _ADVISORY.fullmatch(token) else None
    if _VERSION.fullmatch(token):
        return "version", token
    if _CODE.fullmatch(token):
        return "error_code", token
    issue = _ISSUE.fullmatch(token)
    return ("issue", token) if issue and issue[2] not in _NOT_ISSUES else None


def number_at(place: Place) -> tuple[str, str] | None:
    """Return what a bare number stands for: an HTTP status, an exit code or an issue."""
    if len(place.token) > _LONGEST_NUMBER:
        return None
    number, before = int(place.token), place.previous.casefold()
    back = place.text[max(0, place.start - _EXIT_LOOK_BACK) : place.start]
    if _BEFORE_EXIT.search(back):
        return None if number in _ORDINARY_EXITS else ("error_code", f"exit {number}")
    if _is_issue(number, before, back):
        return "issue", f"#{number}"
    if _is_status(place, number, before):
        return "error_code", f"HTTP {number}"
    return None


def _is_issue(number: int, before: str, back: str) -> bool:
    if before in _BEFORE_ANY_ISSUE or back.casefold().endswith("pull request "):
        return True
    return before in _BEFORE_ISSUE and number >= _FIRST_TELLING_ISSUE


def _is_status(place: Place, number: int, before: str) -> bool:
    if place.gap not in _BESIDE_STATUS:
        return False
    if before in _HTTP_WORDS or before.startswith("http/"):
        return number in _HTTP_STATUS
    return (
        number in _HTTP_FAILURE
        and before in _MAY_RETURN
        and _AFTER_STATUS.match(place.text, place.end) is not None
    )
