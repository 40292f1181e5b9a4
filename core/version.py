"""The version of this program, which every signature ends with.

It is told by the code that computes and not by what was written down when the program was
installed: the two differ as soon as somebody runs a changed tree. The package takes it from here.
"""

from typing import Final

VERSION: Final = "0.2.0.dev0"
