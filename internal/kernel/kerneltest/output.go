package kerneltest

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"lathe/internal/kernel"
)

func testStreams(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "print('a'); print('b')", "a\nb\n")
	expect(t, k, "pass", "")
	expect(t, k, "print('grüße 中文 🙂', end='')", "grüße 中文 🙂")

	got := run(t, k, "import sys\nprint('out 1', flush=True)\nprint('err 1', file=sys.stderr, flush=True)\nprint('out 2', flush=True)")
	if got.stream(kernel.Stdout) != "out 1\nout 2\n" || got.stream(kernel.Stderr) != "err 1\n" {
		t.Errorf("streams were mixed up: %+v", got.events)
	}
	if got.Duration <= 0 {
		t.Errorf("a run took %v", got.Duration)
	}
}

func testValue(t *testing.T, s *suite) {
	k := s.kernel(t)
	value := func(code string) (string, bool) {
		t.Helper()
		got := run(t, k, code)
		results := got.ofType(kernel.ExecuteResult)
		if got.Status != kernel.StatusOK || len(results) > 1 {
			t.Fatalf("Execute(%q) ended %s with %+v", code, got.Status, got.events)
		}
		if len(results) == 0 {
			return "", false
		}
		var text string
		if err := json.Unmarshal(results[0].Data["text/plain"], &text); err != nil {
			t.Fatalf("text/plain of %q: %v", code, err)
		}
		return text, true
	}
	for code, want := range map[string]string{
		"a = 1; b = 2; a + b": "3", "'text'": "'text'", "[1, 2]": "[1, 2]",
		"def f():\n    return 5\n\nf()": "5", "1 + 1 # no semicolon;": "2",
	} {
		if got, there := value(code); !there || got != want {
			t.Errorf("the value of %q is %q, %v; want %q", code, got, there, want)
		}
	}
	for _, code := range []string{"None", "x = 5", "5;", "5; # quiet", "print()", "if True:\n    5", ""} {
		if got, there := value(code); there {
			t.Errorf("%q has the value %q", code, got)
		}
	}
}

func testErrors(t *testing.T, s *suite) {
	k := s.kernel(t)
	fails := func(code, name string, within ...string) {
		t.Helper()
		got := run(t, k, code)
		found := got.ofType(kernel.ErrorOutput)
		if got.Status != kernel.StatusError || len(found) != 1 || found[0].EName != name {
			t.Fatalf("Execute(%q) ended %s with %+v, want %s", code, got.Status, got.events, name)
		}
		text := strings.Join(found[0].Traceback, "\n")
		for _, part := range within {
			if !strings.Contains(text, part) {
				t.Errorf("the traceback of %q lacks %q:\n%s", code, part, text)
			}
		}
		if got.StateLost {
			t.Errorf("%q took the variables away", code)
		}
	}
	fails("print('before')\n1 / 0", "ZeroDivisionError", "division by zero")
	fails("def inner():\n    raise ValueError('deep')\n\ndef outer():\n    inner()\n\nouter()", "ValueError", "inner", "outer", "deep")
	fails("x = (", "SyntaxError")
	fails("class Odd(Exception):\n    pass\n\nraise Odd('own')", "Odd", "own")
	fails("undefined_name", "NameError", "undefined_name")
	fails("import sys\nsys.exit(3)", "SystemExit")
	fails("import there_is_no_such_module", "ModuleNotFoundError", "there_is_no_such_module")
	expect(t, k, "print('after')", "after\n")

	// exit() may be an error or none, but no kernel dies of it.
	run(t, k, "print(1)\nexit()")
	expect(t, k, "print(2)", "2\n")
}

func testVariables(t *testing.T, s *suite) {
	k := s.kernel(t)
	expect(t, k, "x = 41\ndef f(n):\n    return n + 1\nimport math", "")
	expect(t, k, "print(f(x), math.floor(1.5))", "42 1\n")
	run(t, k, "y = 1\nraise ValueError")
	expect(t, k, "print(x, y)", "41 1\n")
	expect(t, k, "def main():\n    print('hi')\n\nif __name__ == '__main__':\n    main()", "hi\n")
	expect(t, k, "import asyncio\nawait asyncio.sleep(0.01)\nprint('awaited')", "awaited\n")
}

func testDisplays(t *testing.T, s *suite) {
	k := s.kernel(t)
	got := run(t, k, `
class Shown:
    def __init__(self, name):
        self.name = name
    def _repr_html_(self):
        return f"<b>{self.name}</b>"
    def __repr__(self):
        return self.name

print("first")
display(Shown("one"), Shown("two"))
print("last")
Shown("three")
`)
	if got.Status != kernel.StatusOK {
		t.Fatalf("ended %s: %+v", got.Status, got.events)
	}
	var shape []string
	for _, event := range got.events {
		switch event.Type {
		case kernel.Stream:
			shape = append(shape, strings.TrimSpace(event.Text))
		default:
			var html, plain string
			_ = json.Unmarshal(event.Data["text/html"], &html)
			_ = json.Unmarshal(event.Data["text/plain"], &plain)
			shape = append(shape, string(event.Type)+" "+html+" "+plain)
		}
	}
	want := "first|display_data <b>one</b> one|display_data <b>two</b> two|last|execute_result <b>three</b> three"
	if joined := strings.Join(slicesCompact(shape), "|"); joined != want {
		t.Errorf("shown: %s\nwant:  %s", joined, want)
	}

	got = run(t, k, "handle = display('old', display_id='here')\nhandle.update('new')\nfrom IPython.display import clear_output\nclear_output(wait=True)")
	if got.Status != kernel.StatusOK || len(got.events) != 3 ||
		got.events[0].Type != kernel.DisplayData || got.events[0].DisplayID != "here" ||
		got.events[1].Type != kernel.UpdateDisplayData || got.events[1].DisplayID != "here" ||
		got.events[2].Type != kernel.ClearOutput || !got.events[2].Wait {
		t.Errorf("displays that change: %s %+v", got.Status, got.events)
	}
}

// slicesCompact drops empty entries, which a stream cut between text and line end gives.
func slicesCompact(shape []string) []string {
	var kept []string
	for _, entry := range shape {
		if entry != "" {
			kept = append(kept, entry)
		}
	}
	return kept
}

// C054: a flood is told whole, in order.
func testManyLines(t *testing.T, s *suite) {
	k := s.kernel(t)
	const lines = 100_000
	got := run(t, k, "for i in range("+strconv.Itoa(lines)+"):\n    print(i)")
	text := strings.Split(strings.TrimSuffix(got.stream(kernel.Stdout), "\n"), "\n")
	if got.Status != kernel.StatusOK || len(text) != lines {
		t.Fatalf("ended %s with %d lines", got.Status, len(text))
	}
	for i, line := range text {
		if line != strconv.Itoa(i) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
	if len(got.events) > lines/10 {
		t.Errorf("%d lines came as %d events", lines, len(got.events))
	}
}
