"""Values as MIME bundles, in the way that Jupyter's kernels make them."""

import base64
import pprint
import uuid
from collections.abc import Callable
from typing import Any

from . import host as _host

REPR_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
    "_repr_pdf_": "application/pdf",
}

# More elements than this are cut, as in Jupyter.
LONG = 1000

Bundle = dict[str, Any]


def _encoded(mime: str, value: Any) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        if mime == "image/svg+xml" or mime.startswith("text/"):
            return bytes(value).decode("utf-8", "replace")
        return base64.b64encode(value).decode("ascii")
    return value


def _plain(value: Any) -> str:
    if type(value) in (list, tuple, set, frozenset, dict) and len(value) > 0:
        if len(value) > LONG:
            return _cut(value)
        text = repr(value)
        return text if len(text) < 80 else pprint.pformat(value, width=79, compact=True, sort_dicts=False)
    return repr(value)


def _cut(value: Any) -> str:
    head = []
    for index, item in enumerate(value):
        if index == LONG:
            break
        head.append(f"{item!r}: {value[item]!r}" if isinstance(value, dict) else repr(item))
    opening, closing = ("[", "]") if isinstance(value, list) else ("(", ")") if isinstance(value, tuple) else ("{", "}")
    return f"{opening}{', '.join(head)}, ...{closing}"


def _call(method: Callable[..., Any], **arguments: Any) -> Any:
    """The method's answer; None where it fails, as one broken form must not take away the others."""
    try:
        return method(**arguments)
    except Exception:
        return None


def _split(answer: Any) -> tuple[Any, Any]:
    return answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)


def mime_bundle(value: Any) -> tuple[Bundle, Bundle]:
    """The forms of a value and their metadata. text/plain is always among them."""
    data: Bundle = {}
    metadata: Bundle = {}
    # A class shows itself, not what its instances would show.
    if not isinstance(value, type):
        method = getattr(value, "_repr_mimebundle_", None)
        if callable(method):
            bundle, bundle_metadata = _split(_call(method, include=None, exclude=None))
            if isinstance(bundle, dict):
                data.update((mime, _encoded(mime, form)) for mime, form in bundle.items() if form is not None)
                metadata.update(bundle_metadata or {})
        for name, mime in REPR_METHODS.items():
            method = getattr(value, name, None)
            if mime not in data and callable(method):
                form, form_metadata = _split(_call(method))
                if form is not None:
                    data[mime] = _encoded(mime, form)
                    if form_metadata:
                        metadata[mime] = form_metadata
    if "text/plain" not in data:
        data["text/plain"] = _plain(value)
    return data, metadata


def publish(
    kind: str, data: Bundle, metadata: Bundle | None = None, display_id: str | None = None
) -> None:
    """Sends a bundle after the text that was written before it."""
    from .session import session

    event: dict[str, Any] = {"type": kind, "data": data, "metadata": metadata or {}}
    if display_id is not None:
        event["displayId"] = str(display_id)
    session().outlet.flush()
    assert _host.host is not None
    _host.host.emit(event)


class DisplayHandle:
    """A display that can be changed later."""

    def __init__(self, display_id: str | None = None) -> None:
        self.display_id = display_id or uuid.uuid4().hex

    def display(self, value: Any, **arguments: Any) -> None:
        display(value, display_id=self.display_id, **arguments)

    def __repr__(self) -> str:
        return f"<DisplayHandle display_id={self.display_id}>"

    def update(self, value: Any, **arguments: Any) -> None:
        update_display(value, display_id=self.display_id, **arguments)


def display(
    *values: Any,
    include: Any = None,
    exclude: Any = None,
    metadata: Bundle | None = None,
    transient: Bundle | None = None,
    display_id: str | bool | None = None,
    raw: bool = False,
    clear: bool = False,
    update: bool = False,
    **_: Any,
) -> DisplayHandle | None:
    """Shows values, each in the richest form that it has."""
    from . import figures

    if clear:
        clear_output(wait=True)
    handle = None
    if display_id is True:
        handle = DisplayHandle()
    elif display_id:
        handle = DisplayHandle(str(display_id))
    kind = "update_display_data" if update and handle else "display_data"
    for value in values:
        if raw and isinstance(value, dict):
            data, forms = value, {}
        elif figures.is_figure(value):
            data, forms = figures.bundle(value)
            figures.close(value)
        else:
            data, forms = mime_bundle(value)
        if include:
            data = {mime: form for mime, form in data.items() if mime in include}
        if exclude:
            data = {mime: form for mime, form in data.items() if mime not in exclude}
        if data:
            publish(kind, data, {**forms, **(metadata or {})}, handle.display_id if handle else None)
    return handle


def update_display(value: Any, *, display_id: str, **arguments: Any) -> None:
    display(value, display_id=display_id, update=True, **arguments)


def clear_output(wait: bool = False) -> None:
    from .session import session

    session().outlet.flush()
    assert _host.host is not None
    _host.host.emit({"type": "clear_output", "wait": bool(wait)})
