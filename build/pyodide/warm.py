# ruff: noqa: F401 -- imported for the snapshot to hold them
# What the snapshot has done already when a session begins: the imports, and once each of the things that are slow the
# first time. Run at build time by snapshot.mjs; nothing that is drawn here is kept.
import base64
import csv
import dataclasses
import datetime
import decimal
import inspect
import io
import json
import linecache
import logging
import pprint
import re
import statistics
import tokenize
import traceback
import uuid
import zoneinfo

import matplotlib.dates
import matplotlib.font_manager
import matplotlib.pyplot as plt
import matplotlib.text
import matplotlib.ticker
import numpy
import pandas


def warm() -> None:
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3], [4, 1, 9], label="a")
    axes.bar([1, 2], [3, 4])
    axes.set_title("Title $x^2$")
    axes.set_xlabel("x")
    axes.legend()
    axes.grid(visible=True)
    figure.savefig(io.BytesIO(), format="png", dpi=150, bbox_inches="tight")
    plt.close("all")
    frame = pandas.DataFrame({"a": [1, 2, 3], "b": list("xyx")})
    frame.groupby("b").a.sum()
    frame.describe()
    repr(frame)
    frame._repr_html_()
    pandas.read_csv(io.StringIO("a,b,c\n1,2,2024-01-01\n"), parse_dates=["c"])
    frame.to_csv(io.StringIO())
    numpy.linalg.inv(numpy.eye(2) + numpy.random.rand(2, 2))
    # Draws itself, through pandas' own module for that.
    frame.plot(x="b", y="a", kind="bar")
    plt.close("all")


warm()
del warm
# Fonts that are open hold files of this process; measured words belong to them.
matplotlib.font_manager._get_font.cache_clear()
matplotlib.text._get_text_metrics_with_cache_impl.cache_clear()
