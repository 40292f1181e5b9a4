"""An edit of the corpus that is too long for a row of the log: its values in rows before its own.

The row of the edit names the rows of its portions where others have the value before. A program
that does not know of portions finds no value there and refuses to undo it; so nothing is undone by
halves.
"""
