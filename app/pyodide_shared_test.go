package app

import (
	"strings"
	"testing"

	"lathe/internal/kernel"
)

// walk follows everything that Python can reach in the worker, and names shared
// memory that is larger than the kernel's own few words of control.
const walk = `
import js, pyodide_js, collections
from pyodide.ffi import JsProxy
def size(buffer):
    try:
        return buffer.byteLength
    except BaseException:  # its prototype
        return 0
seen = js.Set.new()
queue = collections.deque([("globalThis", js.globalThis, 0), ("pyodide", pyodide_js, 0)])
found, looked = [], 0
while queue and looked < 4000:
    name, thing, depth = queue.popleft()
    if seen.has(thing):
        continue
    seen.add(thing)
    looked += 1
    kind = str(js.Object.prototype.toString.call(thing))
    if "SharedArrayBuffer" in kind and size(thing) > 1 << 20:
        found.append(f"{name} {size(thing)}")
    if depth == 4 or "Array" in kind:
        keys = ["buffer"] if "Array" in kind else []
    else:
        try:
            keys = list(js.Reflect.ownKeys(thing))[:600]
        except BaseException:  # no object
            continue
    for key in keys:
        if not isinstance(key, str):
            continue
        try:
            # No getter is called: some break the interpreter.
            inner = thing.buffer if key == "buffer" else js.Reflect.getOwnPropertyDescriptor(thing, key).value
        except BaseException:
            continue
        if isinstance(inner, JsProxy):
            queue.append((f"{name}.{key}", inner, depth + 1))
print(looked > 300, found)
`

// The pages of the snapshot are one memory for all workers: a session that
// could write there would write into the next one.
func TestPyodideSharedPages(t *testing.T) {
	a := window(t)
	k := newKernel(t, a)
	status, text, failure := python(t, k, walk)
	if status != kernel.StatusOK || strings.TrimSpace(text) != "True []" {
		t.Errorf("%s, reached %q, %s", status, text, failure)
	}
	// What a session does to modules that came from there stays in it.
	if status, _, failure = python(t, k, "import numpy, pandas, pathlib\nnumpy.mean = None\npathlib.Path(pandas.__file__).write_text('raise SystemExit')"); status != kernel.StatusOK {
		t.Errorf("%s %s", status, failure)
	}
	other := newKernel(t, a)
	_, text, failure = python(t, other, "import numpy, pandas\nprint(numpy.mean([1, 3]), len(open(pandas.__file__).read()) > 100)")
	if text != "2.0 True\n" {
		t.Errorf("the other session has %q, %s", text, failure)
	}
}
