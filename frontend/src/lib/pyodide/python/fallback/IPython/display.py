"""IPython.display: display() and the objects that carry one form."""

import base64
import json
import os
from typing import Any

from lathe_kernel.display import DisplayHandle, clear_output, display, update_display

__all__ = [
    "HTML", "JSON", "SVG", "Code", "DisplayHandle", "Image", "Latex", "Markdown", "Math", "Pretty", "clear_output",
    "display", "display_html", "display_markdown", "display_png", "display_svg", "update_display",
]  # fmt: skip


class DisplayObject:
    """Data of one MIME type, given or read from a file of the working folder."""

    mime = "text/plain"
    binary = False

    def __init__(
        self, data: Any = None, url: str | None = None, filename: str | None = None, metadata: Any = None, **_: Any
    ) -> None:
        if url is not None and filename is None:
            raise OSError(101, "Code that runs in Pyodide has no network: the address can't be read.")
        if isinstance(data, os.PathLike):
            filename, data = os.fspath(data), None
        self.data = data
        self.filename = filename
        self.metadata = metadata
        if filename is not None:
            self.reload()

    def reload(self) -> None:
        assert self.filename is not None
        mode, encoding = ("rb", None) if self.binary else ("r", "utf-8")
        with open(self.filename, mode, encoding=encoding) as file:
            self.data = file.read()

    def _form(self) -> Any:
        return self.data

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return {self.mime: self._form(), "text/plain": repr(self)}, {self.mime: self.metadata or {}}

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(DisplayObject):
    mime = "text/html"

    def _repr_html_(self) -> Any:
        return self.data


class Markdown(DisplayObject):
    mime = "text/markdown"


class Latex(DisplayObject):
    mime = "text/latex"


class Math(Latex):
    def _form(self) -> Any:
        return f"$\\displaystyle {str(self.data).strip('$')}$"


class SVG(DisplayObject):
    mime = "image/svg+xml"


class JSON(DisplayObject):
    mime = "application/json"

    def _form(self) -> Any:
        return json.loads(self.data) if isinstance(self.data, str | bytes) else self.data


class Pretty(DisplayObject):
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return {"text/plain": str(self.data)}


class Code(DisplayObject):
    def __init__(self, data: Any = None, url: str | None = None, filename: str | None = None, language: str = "", **_: Any):
        self.language = language
        super().__init__(data, url, filename)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return {"text/markdown": f"~~~~{self.language}\n{self.data}\n~~~~", "text/plain": str(self.data)}


class Image(DisplayObject):
    binary = True

    def __init__(
        self,
        data: Any = None,
        url: str | None = None,
        filename: str | None = None,
        format: str | None = None,  # noqa: A002
        width: int | None = None,
        height: int | None = None,
        **_: Any,
    ) -> None:
        if isinstance(data, str) and os.path.exists(data):
            data, filename = None, data
        elif isinstance(data, str) and data.startswith(("http://", "https://")):
            data, url = None, data
        super().__init__(data, url, filename)
        self.mime = f"image/{format}" if format else _image_type(self.data)
        self.metadata = {key: size for key, size in (("width", width), ("height", height)) if size}

    def _form(self) -> Any:
        return base64.b64encode(self.data).decode("ascii") if isinstance(self.data, bytes) else self.data


def _image_type(data: Any) -> str:
    if isinstance(data, bytes):
        if data.startswith(b"\xff\xd8"):
            return "image/jpeg"
        if data.startswith(b"GIF8"):
            return "image/gif"
        if data[8:12] == b"WEBP":
            return "image/webp"
    return "image/png"


def display_html(*values: Any, **arguments: Any) -> None:
    display(*(HTML(value) if isinstance(value, str) else value for value in values), include=["text/html"])


def display_markdown(*values: Any, **arguments: Any) -> None:
    display(*(Markdown(value) if isinstance(value, str) else value for value in values), include=["text/markdown"])


def display_png(*values: Any, **arguments: Any) -> None:
    display(*values, include=["image/png"])


def display_svg(*values: Any, **arguments: Any) -> None:
    display(*values, include=["image/svg+xml"])
