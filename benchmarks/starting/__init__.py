"""Starting full: real histories and transcripts through `helix import`, killed and repeated."""
