"""The laws that several stages share. Pure: values in, values out.

No store, no clock, no chance. Every number here has a name, a unit and a source.
"""
