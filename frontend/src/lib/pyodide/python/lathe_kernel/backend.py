"""The matplotlib backend: Agg, whose show() puts charts under the code.

MPLBACKEND names it, so matplotlib loads it by itself, and only when it is used.
"""

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from . import figures


class FigureManager(FigureManagerBase):
    def show(self) -> None:
        figures.show(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        figures.show_all()


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager
