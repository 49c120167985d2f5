"""The Python half of the Pyodide engine: runs code and tells what it shows.

Nothing in here is trusted by the page. Code that runs in the interpreter can
reach and change all of it, which spoils its own session and no other.
"""
