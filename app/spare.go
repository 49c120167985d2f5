package app

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"time"
)

// warmAfter is how long after the window is usable the spare interpreter
// begins: its start takes a processor for a second or two, and the person's
// first clicks come first.
const warmAfter = 3 * time.Second

// spareMemory is what the machine must have free for an interpreter that
// perhaps nobody needs, in bytes.
const spareMemory = 1500 << 20

// warm begins the spare interpreter when the window has come to rest.
func (a *App) warm() {
	select {
	case <-a.usable:
	case <-a.ctx.Done():
		return
	}
	select {
	case <-time.After(warmAfter):
		a.host.Warm()
	case <-a.ctx.Done():
	}
}

// roomForSpare says whether a spare interpreter is of use and harms nobody.
func (a *App) roomForSpare() bool {
	config := a.config.codeExecution()
	if !config.Enabled || config.Engine != "pyodide" {
		return false
	}
	free, known := availableMemory("/proc/meminfo")
	return !known || free >= spareMemory
}

// availableMemory reads MemAvailable, in bytes, as proc(5) describes it; false
// where the system has no such file.
func availableMemory(path string) (int64, bool) {
	file, err := os.Open(path) // #nosec G304 -- a fixed path, or a test's
	if err != nil {
		return 0, false
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		rest, found := strings.CutPrefix(lines.Text(), "MemAvailable:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		return kib << 10, err == nil
	}
	return 0, false
}
