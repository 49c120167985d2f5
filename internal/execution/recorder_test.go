package execution

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lathe/internal/files"
	"lathe/internal/kernel"
)

var small = Limits{Head: 100, Tail: 20, Outputs: 5, Text: 200, Texts: 400, Blob: 1000, Blobs: 1500}

func newTestRecorder(t *testing.T, limits Limits) *recorder {
	t.Helper()
	return newRecorder(files.NewBlobs(t.TempDir()), limits)
}

// feed takes an event as a run does.
func (r *recorder) feed(event kernel.Event) { r.add(event, r.prepare(event)) }

func stream(name, text string) kernel.Event {
	return kernel.Event{Type: kernel.Stream, Name: name, Text: text}
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text)
	return raw
}

func display(id string, data kernel.MIMEBundle) kernel.Event {
	return kernel.Event{Type: kernel.DisplayData, DisplayID: id, Data: data}
}

// follow applies operations as the screen does.
func follow(outputs []Output, ops []OutputOp) []Output {
	for _, op := range ops {
		switch op.Op {
		case OpSet:
			if op.Index == len(outputs) {
				outputs = append(outputs, *op.Output)
			} else {
				outputs[op.Index] = *op.Output
			}
		case OpAppend:
			outputs[op.Index].Text += op.Text
		case OpTail:
			o := &outputs[op.Index]
			o.Tail, o.DroppedBytes, o.DroppedLines = op.Text, op.DroppedBytes, op.DroppedLines
		case OpClear:
			outputs = []Output{}
		}
	}
	return outputs
}

// Whatever comes, and however often it is told, the operations lead to what is kept.
func TestOperationsLeadToWhatIsKept(t *testing.T) {
	script := []kernel.Event{
		stream("stdout", "a\n"), stream("stdout", "b\n"), stream("stderr", "warn\n"), stream("stdout", "c\n"),
		display("d1", kernel.MIMEBundle{"text/plain": quoted("one")}),
		{Type: kernel.UpdateDisplayData, DisplayID: "d1", Data: kernel.MIMEBundle{"text/plain": quoted("two")}},
		{Type: kernel.ClearOutput, Wait: true},
		stream("stdout", strings.Repeat("0123456789\n", 30)), stream("stdout", "the ünd\n"),
		{Type: kernel.ExecuteResult, Data: kernel.MIMEBundle{"text/plain": quoted("3")}},
		{Type: kernel.ErrorOutput, EName: "ValueError", EValue: "no", Traceback: []string{"…"}},
		{Type: kernel.ClearOutput},
		stream("stdout", "after"),
	}
	for every := 1; every <= len(script); every++ {
		r := newTestRecorder(t, small)
		shown := []Output{}
		for i, event := range script {
			r.feed(event)
			if i%every == 0 {
				shown = follow(shown, r.take(true))
			}
		}
		shown = follow(shown, r.take(true))
		if !reflect.DeepEqual(shown, r.outputs) {
			t.Fatalf("told every %d events: shown %+v, kept %+v", every, shown, r.outputs)
		}
	}
}

// C048: prints follow each other in one stream.
func TestStreamsJoin(t *testing.T) {
	r := newTestRecorder(t, small)
	for _, text := range []string{"a", "\n", "b", "\n"} {
		r.feed(stream("stdout", text))
	}
	if ops := r.take(true); len(ops) != 2 {
		t.Errorf("%d operations for one stream", len(ops))
	}
	if len(r.outputs) != 1 || r.outputs[0].Text != "a\nb\n" {
		t.Errorf("%+v", r.outputs)
	}
}

// C054: head and tail of a flood are kept, with the count between them.
func TestFloodKeepsHeadAndTail(t *testing.T) {
	r := newTestRecorder(t, DefaultLimits)
	var whole strings.Builder
	for i := range 1_000_000 {
		line := fmt.Sprintf("%d\n", i)
		whole.WriteString(line)
		r.feed(stream("stdout", line))
	}
	r.take(true)
	o := r.outputs[0]
	if !strings.HasPrefix(whole.String(), o.Text) || !strings.HasSuffix(whole.String(), o.Tail) ||
		len(o.Text) != DefaultLimits.Head || len(o.Tail) > DefaultLimits.Tail {
		t.Errorf("head of %d bytes, tail of %d", len(o.Text), len(o.Tail))
	}
	if int64(len(o.Text)+len(o.Tail))+o.DroppedBytes != int64(whole.Len()) {
		t.Errorf("%d bytes are said to be dropped", o.DroppedBytes)
	}
	if kept := int64(strings.Count(o.Text+o.Tail, "\n")); kept+o.DroppedLines != 1_000_000 {
		t.Errorf("%d lines kept and %d dropped", kept, o.DroppedLines)
	}
}

func TestLimitsBoundEverything(t *testing.T) {
	r := newTestRecorder(t, small)
	png := func(size int) kernel.MIMEBundle {
		return kernel.MIMEBundle{"image/png": quoted(base64.StdEncoding.EncodeToString(make([]byte, size)))}
	}
	r.feed(display("", png(900)))
	r.feed(display("", png(901))) // over the sum
	r.feed(display("", kernel.MIMEBundle{"image/png": quoted("%%%")}))
	r.feed(display("", kernel.MIMEBundle{"text/html": quoted(strings.Repeat("x", 500)), "text/plain": quoted("short")}))
	r.feed(display("", kernel.MIMEBundle{"application/json": json.RawMessage(`[` + strings.Repeat("1,", 200) + `1]`)}))
	for range 10 {
		r.feed(display("", kernel.MIMEBundle{"text/plain": quoted("more")}))
	}
	r.feed(kernel.Event{Type: kernel.ErrorOutput, EName: "E", Traceback: []string{strings.Repeat("y", 300), "last"}})
	var got []string
	for _, o := range r.outputs {
		got = append(got, string(o.Type)+" "+o.Code)
	}
	want := []string{"display_data ", "notice output_too_large", "notice output_unreadable", "display_data ", "notice output_too_large", "notice outputs_too_many", "error "}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("kept %q", got)
	}
	if _, kept := r.outputs[3].Data["text/html"]; kept || string(r.outputs[3].Data["text/plain"]) != `"short"` {
		t.Errorf("large and small form: %v", r.outputs[3].Data)
	}
}

// An animation that replaces its picture goes on for ever.
func TestReplacedOutputsGiveTheirRoomBack(t *testing.T) {
	r := newTestRecorder(t, small)
	picture := kernel.MIMEBundle{"image/png": quoted(base64.StdEncoding.EncodeToString(make([]byte, 700)))}
	for range 5 {
		r.feed(kernel.Event{Type: kernel.ClearOutput})
		r.feed(display("d", picture))
		r.feed(kernel.Event{Type: kernel.UpdateDisplayData, DisplayID: "d", Data: kernel.MIMEBundle{"text/plain": quoted(strings.Repeat("x", 150))}})
		r.feed(kernel.Event{Type: kernel.UpdateDisplayData, DisplayID: "d", Data: picture})
		if len(r.outputs) != 1 || r.outputs[0].Blobs["image/png"].Size != 700 {
			t.Fatalf("%+v", r.outputs)
		}
	}
}

func TestImagesBecomeFiles(t *testing.T) {
	blobs := files.NewBlobs(t.TempDir())
	r := newRecorder(blobs, DefaultLimits)
	r.feed(display("", kernel.MIMEBundle{
		"image/png": quoted("aGVs\nbG8="), "image/svg+xml": quoted("<svg/>"), "text/plain": quoted("<Figure>"),
	}))
	o := r.outputs[0]
	if o.Blobs["image/png"].Size != 5 || o.Blobs["image/svg+xml"].Size != 6 || len(o.Data) != 1 {
		t.Fatalf("%+v", o)
	}
	file, err := blobs.Blob(t.Context(), o.Blobs["image/png"].Hash)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	buffer := make([]byte, 10)
	if n, _ := file.Read(buffer); string(buffer[:n]) != "hello" {
		t.Errorf("kept %q", buffer[:n])
	}
}

func TestLanguageOf(t *testing.T) {
	for info, want := range map[string]bool{
		"python": true, "Python": true, "py": true, "python3 title=x": true, "python,ignore": true, "py:main": true,
		"": false, "bash": false, "pythonic": false, "text": false, "r": false, "python2": false, "markdown": false,
	} {
		if _, ok := LanguageOf(info); ok != want {
			t.Errorf("%q can run: %v", info, ok)
		}
	}
}
