"""The nouns of Helix, frozen.

Everything here is a plain value: no clock, no store, no chance. A newcomer reads
`memory`, then `record`, then `recollection`, and knows what Helix talks about.
"""
