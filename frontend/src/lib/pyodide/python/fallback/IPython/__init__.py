"""The part of IPython that code written for notebooks uses to show things.

It stands behind site-packages: where IPython itself is installed, that is found.
"""

from . import display as _display_module
from .display import display

__all__ = ["display", "get_ipython"]
display_module = _display_module


def get_ipython() -> None:
    """None, as everywhere outside of IPython."""
