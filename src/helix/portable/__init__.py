"""A memory outside its store: as Markdown that people read, review and edit.

`markdown` turns memories into text and back, and is pure; `workflow` writes the files, and
takes edits back as corrections.
"""
