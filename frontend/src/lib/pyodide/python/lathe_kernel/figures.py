"""Charts: each open figure is shown once, in order, by plt.show() or at the end of the run.

Works only on modules that the code has imported by itself; where there is no
matplotlib, nothing here costs anything.
"""

import base64
import io
import struct
import sys
from typing import Any

# Charts are drawn at twice their size for sharp screens, up to this many pixels.
MOST_PIXELS = 6_000_000


def _managers() -> list[Any]:
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    return [] if helpers is None else sorted(helpers.Gcf.get_all_fig_managers(), key=lambda manager: manager.num)


def is_figure(value: Any) -> bool:
    module = sys.modules.get("matplotlib.figure")
    return module is not None and isinstance(value, module.Figure)


def is_artist(value: Any) -> bool:
    """True of what drawing functions return: handles whose text tells nobody anything."""
    module = sys.modules.get("matplotlib.artist")
    if module is None:
        return False
    if isinstance(value, list | tuple) and value:
        return all(is_artist(item) for item in value)
    return isinstance(value, module.Artist)


def bundle(figure: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A figure as PNG, with the size at which it is meant to be shown."""
    width, height = figure.get_size_inches() * figure.dpi
    pixels = max(float(width * height), 1.0)
    scale = min(2.0, (MOST_PIXELS / pixels) ** 0.5)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=figure.dpi * scale, bbox_inches="tight")
    png = buffer.getvalue()
    drawn_width, drawn_height = struct.unpack(">II", png[16:24])
    size = {"width": round(drawn_width / scale), "height": round(drawn_height / scale)}
    title = figure.get_suptitle() or next((axes.get_title() for axes in figure.axes if axes.get_title()), "")
    plain = f"Chart: {title}" if title else f"<Figure size {round(width)}x{round(height)} with {len(figure.axes)} Axes>"
    return {"image/png": base64.b64encode(png).decode("ascii"), "text/plain": plain}, {"image/png": size}


def close(figure: Any) -> None:
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is not None:
        helpers.Gcf.destroy_fig(figure)


def show(figure: Any) -> None:
    from .display import publish

    if figure.axes or figure.lines or figure.texts or figure.images or figure.patches or figure.legends:
        publish("display_data", *bundle(figure))
    close(figure)


def show_all(*_: Any, **__: Any) -> None:
    """plt.show() in any form. A chart that can't be drawn leaves the later ones for the next call."""
    for manager in _managers():
        show(manager.canvas.figure)


def close_all() -> None:
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is not None:
        helpers.Gcf.destroy_all()
