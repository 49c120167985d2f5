package execution

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/gif" // the formats whose size is read
	_ "image/jpeg"
	_ "image/png"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lathe/internal/kernel"
)

// Limits bound what one run keeps. All are in bytes but Outputs.
type Limits struct {
	Head    int // of all streams together, kept from their beginning
	Tail    int // of each stream, kept from its end
	Outputs int // pieces; a stream that goes on is one
	Text    int // of one text form of a rich output
	Texts   int // of all text forms together
	Blob    int // of one binary form
	Blobs   int // of all binary forms together
}

// DefaultLimits keep a run readable and the database small.
var DefaultLimits = Limits{
	Head: 256 << 10, Tail: 32 << 10, Outputs: 500, Text: 1 << 20, Texts: 8 << 20, Blob: 32 << 20, Blobs: 128 << 20,
}

// The notices that the recorder itself writes; the message catalogue words them.
const (
	NoticeTooLarge   = "output_too_large"  // mime, size
	NoticeTooMany    = "outputs_too_many"  // limit
	NoticeUnreadable = "output_unreadable" // mime
	NoticeNotKept    = "output_not_kept"   // detail
	NoticeStateLost  = "variables_lost"    //
)

// errorsBeyond is how many errors are kept beyond the limit of outputs.
const errorsBeyond = 8

// tailEvery is how often the end of a flood is told; it is sent whole each time.
const tailEvery = 200 * time.Millisecond

// text is a stream while it grows; its output gets the strings when they are asked for.
type text struct {
	head  strings.Builder
	told  int    // bytes of the head that operations have told
	cut   bool   // the head is full; what comes goes to the tail
	dirty bool   // the tail has changed since it was told
	tail  []byte // up to twice the limit, so that it is seldom moved
}

// recorder turns a kernel's events into kept outputs and the operations that
// lead there. It is used by one goroutine at a time.
type recorder struct {
	blobs   Blobs
	limits  Limits
	outputs []Output
	ops     []OutputOp // since the last take

	headLeft  int
	textsLeft int
	blobsLeft int
	clearNext bool // clear_output(wait=True) came
	full      bool // the limit of outputs was reached
	tailTold  time.Time
	tailWaits bool          // a tail has changed and was told too short a time ago
	streams   map[int]*text // of the outputs that are streams
}

func newRecorder(blobs Blobs, limits Limits) *recorder {
	return &recorder{
		blobs: blobs, limits: limits, outputs: []Output{},
		headLeft: limits.Head, textsLeft: limits.Texts, blobsLeft: limits.Blobs,
		streams: map[int]*text{},
	}
}

// take returns the operations since the last call, and brings outputs up to
// date. Tails are left out where they were told a short time ago, unless all is
// asked for.
func (r *recorder) take(all bool) []OutputOp {
	tails := all || time.Since(r.tailTold) >= tailEvery
	r.tailWaits = false
	for index, stream := range r.streams {
		output := &r.outputs[index]
		if output.Text = stream.head.String(); len(output.Text) > stream.told {
			r.ops = append(r.ops, OutputOp{Op: OpAppend, Index: index, Text: output.Text[stream.told:]})
			stream.told = len(output.Text)
		}
		if !stream.dirty {
			continue
		}
		if !tails {
			r.tailWaits = true
			continue
		}
		stream.dirty = false
		r.tailTold = time.Now()
		r.trim(index, r.limits.Tail)
		output.Tail = string(stream.tail)
		r.ops = append(r.ops, OutputOp{
			Op: OpTail, Index: index, Text: output.Tail,
			DroppedBytes: output.DroppedBytes, DroppedLines: output.DroppedLines,
		})
	}
	ops := r.ops
	r.ops = nil
	return ops
}

// prepare makes what is kept of an event, and writes its pictures. Unlike all
// else it may go on beside take; it is called by whoever calls add.
func (r *recorder) prepare(event kernel.Event) *Output {
	switch event.Type {
	case kernel.Stream, kernel.ClearOutput:
		return nil
	case kernel.DisplayData, kernel.ExecuteResult:
		if r.full {
			return nil
		}
	case kernel.UpdateDisplayData, kernel.ErrorOutput, kernel.Notice:
	}
	return refer(r.output(event))
}

// add takes one event of the kernel with what prepare made of it.
func (r *recorder) add(event kernel.Event, ready *Output) {
	if event.Type == kernel.ClearOutput {
		if event.Wait {
			r.clearNext = true
		} else {
			r.clear()
		}
		return
	}
	if event.Type == kernel.UpdateDisplayData {
		r.update(event.DisplayID, *ready)
		return
	}
	if r.clearNext {
		r.clear()
	}
	if event.Type == kernel.Stream {
		r.stream(event)
		return
	}
	if ready != nil {
		r.push(*ready)
	}
}

func (r *recorder) clear() {
	r.outputs = r.outputs[:0]
	r.clearNext, r.full = false, false
	r.headLeft, r.textsLeft, r.blobsLeft = r.limits.Head, r.limits.Texts, r.limits.Blobs
	clear(r.streams)
	r.ops = append(r.ops, OutputOp{Op: OpClear})
}

// push adds an output at the end, as long as there is room.
func (r *recorder) push(output Output) bool {
	switch {
	case output.Type == kernel.ErrorOutput && len(r.outputs) < r.limits.Outputs+errorsBeyond:
		// The traceback is what a person needs most.
		r.outputs = append(r.outputs, output)
		r.set(len(r.outputs) - 1)
		return true
	case r.full:
		return false
	case len(r.outputs) >= r.limits.Outputs:
		r.full = true
		output = notice(NoticeTooMany, "limit", strconv.Itoa(r.limits.Outputs))
	}
	r.outputs = append(r.outputs, output)
	r.set(len(r.outputs) - 1)
	return !r.full
}

// set tells an output as it is now.
func (r *recorder) set(index int) {
	output := r.outputs[index]
	r.ops = append(r.ops, OutputOp{Op: OpSet, Index: index, Output: &output})
}

// stream adds text to the last output where that is the same stream.
func (r *recorder) stream(event kernel.Event) {
	last := len(r.outputs) - 1
	if last < 0 || r.outputs[last].Type != kernel.Stream || r.outputs[last].Name != event.Name {
		if !r.push(Output{Type: kernel.Stream, Name: event.Name}) {
			return
		}
		last++
		r.streams[last] = &text{}
	}
	stream, rest := r.streams[last], event.Text
	if !stream.cut {
		head := cutAt(rest, r.headLeft)
		r.headLeft -= len(head)
		stream.head.WriteString(head)
		rest = rest[len(head):]
	}
	if rest != "" {
		r.headLeft, stream.cut = 0, true
		stream.tail = append(stream.tail, rest...)
		r.trim(last, 2*r.limits.Tail)
		stream.dirty = true
	}
}

// trim cuts a tail that is longer than limit to what is kept of it, and counts
// what falls out before it.
func (r *recorder) trim(index, limit int) {
	stream, output := r.streams[index], &r.outputs[index]
	if len(stream.tail) <= limit {
		return
	}
	over := len(stream.tail) - r.limits.Tail
	for over < len(stream.tail) && !utf8.RuneStart(stream.tail[over]) {
		over++
	}
	output.DroppedBytes += int64(over)
	output.DroppedLines += int64(bytes.Count(stream.tail[:over], []byte("\n")))
	stream.tail = append(stream.tail[:0], stream.tail[over:]...)
}

// update replaces the displays with an id, wherever they stand, and gives their
// room back.
func (r *recorder) update(id string, fresh Output) {
	for i := range r.outputs {
		old := &r.outputs[i]
		if old.DisplayID == id && (old.Type == kernel.DisplayData || old.Type == kernel.ExecuteResult) {
			for _, blob := range old.Blobs {
				r.blobsLeft += int(blob.Size)
			}
			for _, value := range old.Data {
				r.textsLeft += len(value)
			}
			replaced := fresh
			replaced.Type, replaced.DisplayID = old.Type, old.DisplayID
			*old = replaced
			r.set(i)
		}
	}
}

// output makes what is kept of an event.
func (r *recorder) output(event kernel.Event) Output {
	switch event.Type {
	case kernel.ErrorOutput:
		return Output{
			Type: event.Type, EName: cutAt(event.EName, 1<<10), EValue: cutAt(event.EValue, r.limits.Text),
			Traceback: boundLines(event.Traceback, r.limits.Text),
		}
	case kernel.Notice:
		return Output{Type: event.Type, Code: event.Code, Params: event.Params}
	default:
		return r.rich(event)
	}
}

// rich keeps binary forms as files and text forms inside, and drops what is too
// large; where nothing is left it says so.
func (r *recorder) rich(event kernel.Event) Output {
	output := Output{Type: event.Type, Data: kernel.MIMEBundle{}, DisplayID: event.DisplayID}
	if len(event.Metadata) <= 64<<10 {
		output.Metadata = event.Metadata
	}
	var problem *Output
	for mime, value := range event.Data {
		if !isImage(mime) {
			if len(value) <= r.limits.Text && len(value) <= r.textsLeft {
				output.Data[mime] = value
				r.textsLeft -= len(value)
			} else {
				problem = refer(notice(NoticeTooLarge, "mime", mime, "size", strconv.Itoa(len(value))))
			}
			continue
		}
		blob, refused := r.image(mime, value)
		if refused != nil {
			problem = refused
			continue
		}
		if output.Blobs == nil {
			output.Blobs = map[string]Blob{}
		}
		output.Blobs[mime] = blob
	}
	if len(output.Data) == 0 && len(output.Blobs) == 0 && problem != nil {
		problem.DisplayID = event.DisplayID
		return *problem
	}
	return output
}

func isImage(mime string) bool { return strings.HasPrefix(mime, "image/") }

// image keeps one picture as a file; the second result says why it is not kept.
func (r *recorder) image(mime string, value json.RawMessage) (Blob, *Output) {
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return Blob{}, refer(notice(NoticeUnreadable, "mime", mime))
	}
	content := []byte(text)
	if mime != "image/svg+xml" {
		var err error
		// Jupyter's base64 has line ends.
		if content, err = base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(text)); err != nil {
			return Blob{}, refer(notice(NoticeUnreadable, "mime", mime))
		}
	}
	if len(content) > r.limits.Blob || len(content) > r.blobsLeft {
		return Blob{}, refer(notice(NoticeTooLarge, "mime", mime, "size", strconv.Itoa(len(content))))
	}
	hash, err := r.blobs.Put(content)
	if err != nil {
		return Blob{}, refer(notice(NoticeNotKept, "detail", err.Error()))
	}
	r.blobsLeft -= len(content)
	blob := Blob{Hash: hash, Size: int64(len(content))}
	if size, _, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
		blob.Width, blob.Height = size.Width, size.Height
	}
	return blob, nil
}

func notice(code string, pairs ...string) Output {
	params := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		params[pairs[i]] = pairs[i+1]
	}
	return Output{Type: kernel.Notice, Code: code, Params: params}
}

func refer(output Output) *Output { return &output }

// cutAt returns the longest beginning of text of at most limit bytes that ends
// between characters.
func cutAt(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// boundLines keeps the last lines of a traceback, which name the fault.
func boundLines(lines []string, limit int) []string {
	size := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if size += len(lines[i]); size > limit {
			return append([]string{"…"}, lines[i+1:]...)
		}
	}
	return lines
}
