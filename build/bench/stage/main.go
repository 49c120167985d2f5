// Command stage is a window like Lathe's in which a benchmark's own page runs.
// The page asks for its job, reads what CPU time it has taken, and reports.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"lathe/app"
)

// ticksPerSecond is the unit of /proc/PID/stat, the same on every Linux.
const ticksPerSecond = 100

// Stage is what the page calls.
type Stage struct{}

// Job is what BENCH_JOB says is to be measured.
func (*Stage) Job() string { return os.Getenv("BENCH_JOB") }

// Report keeps the page's result in the file that BENCH_REPORT names. It
// appears there whole.
func (*Stage) Report(result string) error {
	path := os.Getenv("BENCH_REPORT")
	if err := os.WriteFile(path+".part", []byte(result), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// CPU is how many seconds of CPU the page's web process has taken so far, all
// its threads together.
func (*Stage) CPU() (float64, error) {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	parent := strconv.Itoa(os.Getpid())
	for _, path := range paths {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// The name stands in brackets, cut to 15 bytes; the rest counts from field 3.
		name, rest, _ := bytes.Cut(stat, []byte(") "))
		fields := strings.Fields(string(rest))
		if !bytes.HasSuffix(name, []byte("(WebKitWebProces")) || len(fields) < 13 || fields[1] != parent {
			continue
		}
		user, userErr := strconv.ParseFloat(fields[11], 64)
		system, systemErr := strconv.ParseFloat(fields[12], 64)
		return (user + system) / ticksPerSecond, errors.Join(userErr, systemErr)
	}
	return 0, errors.New("there is no web process")
}

func main() {
	app.SetWebviewEnvironment()
	err := wails.Run(&options.App{
		Title:       "Bench",
		Width:       1280,
		Height:      860,
		AssetServer: &assetserver.Options{Assets: os.DirFS(os.Getenv("BENCH_PAGE"))},
		Bind:        []any{&Stage{}},
		// On a screen without a graphics card the driver draws on the CPU in the
		// card's place, in threads of the web process, and takes six times as much
		// as all that is to be measured. WebKit's own painting stays in.
		Linux: &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
