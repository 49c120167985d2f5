// Command bare is the window that Lathe's start is measured against: Wails with
// the same window and one static page, which says through a bound method that
// it can be used.
package main

import (
	"embed"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed index.html
var page embed.FS

// Page is what the page calls.
type Page struct{}

// Ready makes the file that BENCH_READY_FILE names.
func (*Page) Ready() error {
	return os.WriteFile(os.Getenv("BENCH_READY_FILE"), nil, 0o600)
}

func main() {
	err := wails.Run(&options.App{
		Title:       "Bare",
		Width:       1280,
		Height:      860,
		AssetServer: &assetserver.Options{Assets: page},
		Bind:        []any{&Page{}},
		Linux:       &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyOnDemand},
	})
	if err != nil {
		panic(err)
	}
}
