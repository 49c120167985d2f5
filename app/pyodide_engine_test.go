package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"lathe/internal/kernel"
)

// collect runs code to its end and returns its events.
func collect(ctx context.Context, t *testing.T, k kernel.Kernel, code string) (kernel.Reply, []kernel.Event) {
	t.Helper()
	var events []kernel.Event
	reply, err := k.Execute(ctx, kernel.Request{ID: fmt.Sprintf("test-%d", time.Now().UnixNano()), Code: code},
		func(event kernel.Event) { events = append(events, event) })
	if err != nil {
		t.Fatalf("%q: %v", code, err)
	}
	return reply, events
}

// picture decodes the PNG of an event.
func picture(t *testing.T, event kernel.Event) (size int) {
	t.Helper()
	var encoded string
	if err := json.Unmarshal(event.Data["image/png"], &encoded); err != nil {
		t.Fatalf("no PNG in %v: %v", event.Type, err)
	}
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
		t.Fatalf("a broken PNG: %v", err)
	}
	return len(raw)
}

// TestPyodideCharts draws in the ways that code does: C014, C040 with show(),
// C058 several in order, and without show() at all.
func TestPyodideCharts(t *testing.T) {
	a := window(t)
	began := time.Now()
	k := newKernel(t, a)
	if reply, _ := collect(t.Context(), t, k, "1 + 1"); reply.Status != kernel.StatusOK {
		t.Fatalf("1 + 1 ended %s", reply.Status)
	}
	t.Logf("a kernel and 1 + 1: %v", time.Since(began))
	began = time.Now()
	reply, events := collect(t.Context(), t, k,
		"import numpy as np, pandas as pd\ndf = pd.DataFrame({'x': np.arange(10), 'y': np.arange(10) ** 2})\ndf.plot(x='x', y='y', title='Squares')")
	t.Logf("numpy, pandas and a chart: %v", time.Since(began))
	if reply.Status != kernel.StatusOK || len(events) != 1 || events[0].Type != kernel.DisplayData {
		t.Fatalf("a pandas plot ended %s with %d events: %+v", reply.Status, len(events), events)
	}
	if size := picture(t, events[0]); size < 5000 {
		t.Errorf("the chart has %d bytes", size)
	}
	for name, code := range map[string]string{
		"show": "import matplotlib.pyplot as plt\nplt.plot([1]); plt.show(); plt.plot([2]); plt.show()",
		"block": "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n" +
			"plt.plot([1]); plt.show(block=True); plt.plot([2])",
		"figures": "import matplotlib.pyplot as plt\na = plt.figure(); plt.plot([1])\nb = plt.figure(); plt.plot([2])\na.show()",
	} {
		began = time.Now()
		reply, events := collect(t.Context(), t, k, code)
		if reply.Status != kernel.StatusOK || len(events) != 2 {
			t.Errorf("%s ended %s with %d events, not two charts", name, reply.Status, len(events))
			continue
		}
		for _, event := range events {
			picture(t, event)
		}
		t.Logf("two more charts: %v", time.Since(began))
	}
	reply, events = collect(t.Context(), t, k, "from scipy import stats\nfrom sklearn.linear_model import LinearRegression\nLinearRegression().fit([[1], [2]], [1, 2]).coef_")
	if reply.Status != kernel.StatusOK || len(events) != 1 || string(events[0].Data["text/plain"]) != `"array([1.])"` {
		t.Errorf("scipy and scikit-learn ended %s with %+v", reply.Status, events)
	}
}

// TestPyodideRecovers breaks the interpreter in the ways that Python offers
// (C055: by taking all memory).
func TestPyodideRecovers(t *testing.T) {
	a := window(t)
	k := newKernel(t, a)
	began := time.Now()
	whole := func(after string) {
		t.Helper()
		t.Logf("%s: ended after %v", after, time.Since(began))
		defer func() { began = time.Now() }()
		if status, stdout, failure := python(t, k, "print('whole')"); status != kernel.StatusOK || stdout != "whole\n" {
			t.Errorf("after %s, a run ended %s: %q %s", after, status, stdout, failure)
		}
	}
	broken := func(name, code string) {
		t.Helper()
		reply, events := collect(t.Context(), t, k, code)
		if reply.Status != kernel.StatusError || !reply.StateLost || len(events) == 0 || events[len(events)-1].Type != kernel.ErrorOutput {
			t.Errorf("%s ended %s, variables lost: %v, with %+v", name, reply.Status, reply.StateLost, events)
		} else {
			t.Logf("%s: %s: %s", name, events[len(events)-1].EName, events[len(events)-1].EValue)
		}
		whole(name)
	}
	if status, _, failure := python(t, k, "def f(n):\n    return f(n + 1) + 1\n\nf(0)"); status != kernel.StatusError || !strings.HasPrefix(failure, "RecursionError") {
		t.Errorf("endless recursion ended %s: %s", status, failure)
	}
	whole("endless recursion")
	broken("a crash", "import ctypes\nctypes.string_at(0xfffffff0, 64)")

	reply, events := collect(t.Context(), t, k, "data = []\nwhile True:\n    data.append(bytearray(256 << 20))")
	if reply.Status != kernel.StatusError || len(events) == 0 || events[len(events)-1].EName != "MemoryError" {
		t.Errorf("taking all memory ended %s with %+v", reply.Status, events)
	}
	if err := k.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole("taking all memory")
}

// TestPyodideStubbornLoop stops a loop in C, which sees no interrupt. The worker
// is given up after the grace, and the kernel goes on in another one.
func TestPyodideStubbornLoop(t *testing.T) {
	a := window(t)
	k := newKernel(t, a)
	if status, _, failure := python(t, k, "kept = 1"); status != kernel.StatusOK {
		t.Fatal(failure)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := time.Now()
	// Ends by itself after some time, as WebKit lets its thread go on.
	reply, err := k.Execute(ctx, kernel.Request{ID: "stubborn", Code: "print('running')\nsum(range(6 * 10**8))"}, func(event kernel.Event) {
		if event.Type == kernel.Stream {
			began = time.Now()
			cancel()
		}
	})
	if err != nil || reply.Status != kernel.StatusStopped || !reply.StateLost {
		t.Fatalf("ended %s, variables lost: %v, %v", reply.Status, reply.StateLost, err)
	}
	t.Logf("stopped after %v", time.Since(began))
	if status, stdout, failure := python(t, k, "print('kept' in globals())"); status != kernel.StatusOK || stdout != "False\n" {
		t.Errorf("the next run ended %s: %q %s", status, stdout, failure)
	}
	t.Logf("next run ended after %v", time.Since(began))
}
