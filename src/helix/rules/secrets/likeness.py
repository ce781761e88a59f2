"""What a secret value looks like, and what only stands where one would."""

from __future__ import annotations

import math
import re
from collections import Counter

from helix.rules.patterns import lazy

_STAND_IN = lazy(
    r"""(?ix)
    ^(?:none|null|nil|undefined|true|false|yes|no|empty|required|optional|string|str|bytes|int
       |bool|boolean|text|varchar|object|any|todo|tbd|n/?a|unset|default|missing|invalid|hidden
       |masked|secret|password|passwd|pass|token|key|value|test|enabled|disabled)$
    | \[redacted\ | x{4,} | [#]{4,} | \*{3,} | \.{3,} | _{4,} | -{6,}
    | <[\w\ -]*> | ^\$ | \$\{ | \$\( | \{\{ | ^\{[\w.\ -]*\}$ | ^%[\w(]
    | example | placeholder | change_?me | dummy | your[_-]? | my[_-]?(?:secret|token|key|pass)
    | redacted | (?<![a-z])fake(?![a-z0-9]{3}) | not[_-]?(?:the|a|real)[_-] | looking[_-]?for
    | process\.env | os\.environ | getenv | ^env[.\[(:] | secrets\. | \bvault: | ^enc\( | ^ref\+
    | 1234567890123 | abcdefghijkl
    """
)
_CALL_OR_MEMBER = lazy(
    r"[A-Za-z_][\w.]*\(|^[A-Za-z_.]+\[|^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+;?$"
)
_ADDRESS = lazy(r"^[a-z][a-z0-9+.-]*://")
_PATH = lazy(r"^(?:\.{0,2}/|[A-Za-z]:\\|~/)[\w./\\ -]*$|^[\w-]+(?:/[\w.-]+){2,}$")
_FILE = lazy(r"\.(?:pem|key|crt|json|ya?ml|txt|py|js|ts|go|java|keytab|conf|ini|env|md)$")
_HOST = lazy(r"^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?$")
_VERSION = lazy(r"^v?\d+(?:\.\d+)+\S{0,30}$|-v?\d+(?:\.\d+)+$")
_UUID = lazy(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", re.I)
_WORDY = lazy(r"^[A-Za-z]+(?:[ _./-][A-Za-z]+)*[.,;:!?)]*$")
_CAMEL = lazy(r"[A-Z]?[a-z]{3,}")

_MASK = lazy(
    r"(?i)x{4,}|#{4,}|here$|\*{3,}|\.{3,}|\[redacted |example|looking"
    r"|0123456|1234567|abcdefg|(?:123){3}"
)

_METHOD = lazy(
    r"(?i)base(?:16|32|58|64)(?:url)?|sha\d{1,3}|md5|blake[23][bs]?|(?:rs|hs|es|ps)(?:256|384|512)"
    r"|(?:rsa|aes|dsa|ecdsa|ecdh|ecc)(?:\d{3,4})?|ed25519|x25519|ed448|p256|p384|secp\d{3}[rk]1"
    r"|chacha20|poly1305|argon2(?:id|i|d)?|pbkdf2|bcrypt|scrypt|hmac|oauth[12]?|oidc|saml[12]?|sso"
    r"|jw[testk]|ldap[23]?|krb5|kerberos5?|ntlmv?[12]?|totp|2fa|mfa|u2f|fido2?|x509|pkcs\d{1,2}"
    r"|basic|bearer|digest|tls|ssh2?|utf8|http[23]?"
)
_BESIDE_A_METHOD = lazy(r"[A-Z]?[a-z]+|[A-Z]{2,6}|\d{1,4}|v\d{1,2}")

LEAST_ENTROPY = 2.2
DRAWN_ENTROPY = 2.6
"""Bits a letter; a token of ten different letters has 3.3, a repeated word about 2."""


def entropy(text: str) -> float:
    """Return the bits per letter by the text's own letter counts."""
    if not text:
        return 0.0
    length = len(text)
    return -sum(n / length * math.log2(n / length) for n in Counter(text).values())


def masked(value: str) -> bool:
    """Return whether a value of a known format was made unreadable by hand."""
    return bool(_MASK.search(value)) or entropy(value) < LEAST_ENTROPY


def stands_in(value: str) -> bool:
    """Return whether a value only stands where a secret would: a name, a variable, a mask."""
    return bool(
        _STAND_IN.search(value) or _CALL_OR_MEMBER.search(value) or len(set(value)) <= 2  # noqa: PLR2004
    )


def is_uuid(value: str) -> bool:
    """Return whether a value is a UUID: a secret only where its name says so."""
    return bool(_UUID.match(value))


def leads_elsewhere(value: str) -> bool:
    """Return whether a value is a path, a file, a host or a version."""
    if _FILE.search(value) or _HOST.match(value) or _VERSION.search(value):
        return True
    # A secret may begin with a slash; a path is made of words.
    return bool(_ADDRESS.match(value) or (_PATH.match(value) and made_of_words(value)))


def names_a_method(value: str) -> bool:
    """Return whether a value says how something is done: RS256-signed, OAuth2.0, RSA-2048."""
    parts = [each for each in re.split(r"[-_/.,;:+()]+", value) if each]
    methods = [each for each in parts if _METHOD.fullmatch(each)]
    return bool(methods) and all(
        each in methods or _BESIDE_A_METHOD.fullmatch(each) for each in parts
    )


def wordy(value: str) -> bool:
    """Return whether a value is made of words: letters only, with separators."""
    return bool(_WORDY.match(value))


def mixed(value: str) -> bool:
    """Return whether letters meet digits or signs, as in a chosen password."""
    letters = any(each.isalpha() for each in value)
    others = any(not each.isalpha() for each in value.strip(".,;:!?()"))
    return letters and others


def random_looking(value: str) -> bool:
    """Return whether a value looks drawn by a machine rather than written by a person."""
    if entropy(value) < DRAWN_ENTROPY:
        return False
    if not any(each.isdigit() for each in value):
        return len(value) >= 20 and entropy(value) > 4.0 and not made_of_words(value)  # noqa: PLR2004
    # Identifiers carry a digit or two among whole words: sha256_sum, x25519KeyPair.
    return len(value) < 20 or not made_of_words(value)  # noqa: PLR2004


def made_of_words(value: str) -> bool:
    """Return whether most letters of a value belong to words, and digits are few."""
    if 4 * sum(each.isdigit() for each in value) > len(value):
        return False
    in_words = sum(len(word) for word in _CAMEL.findall(value))
    return in_words >= 0.7 * sum(each.isalpha() for each in value)
