"""Screening: whether a text gives orders to the model that will read it.

`disguises` takes off what hides letters (invisible characters, look-alike alphabets, base64),
`screens` is the table of what instructions to a model look like, each with a weight and a
reason, `windows` cuts long texts, and `judging` adds up what the worst window shows to one score
and a verdict. Deterministic: no model reads the text, so the text cannot talk its judge round.
"""
