"""Every screen to a picture, in every language and palette: `python tools/screens FOLDER`.

It is how the window is looked at after a change, and how the manual gets its pictures.
"""
