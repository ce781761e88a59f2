"""Secrets: finding credentials in a text and putting typed placeholders in their place.

`formats` knows what issuers' tokens look like, `keys` private keys over many lines, `names` what
a name says of its value: `assignments` finds values behind their name, `pairs` beside it.
`carriers` are URLs, headers, commands and SQL that carry a credential, `personal` is data about
people (only on request). `likeness` tells a value from a placeholder, a path or a word, `escapes`
a letter from the end of an escape sequence. `redacting` puts them together; it is on the capture
path, so a text without any hint of a secret costs a few microseconds. `cutting` is for whoever
keeps only a part of a text, `plainness` for names that need none of this.
"""
