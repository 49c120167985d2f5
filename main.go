// Lathe is a desktop chat for local models that can run code.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"

	"lathe/app"
	"lathe/internal/paths"
)

//go:embed all:frontend/dist
var dist embed.FS

func main() {
	app.SetWebviewEnvironment()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, app.Failure(err))
		os.Exit(1)
	}
}

func run() error {
	data, err := paths.FindData()
	if err != nil {
		return err
	}
	resources, err := paths.FindResources()
	if err != nil {
		return err
	}
	a, err := app.New(data, resources)
	if errors.Is(err, app.ErrRunning) {
		return handOver(data)
	}
	if err != nil {
		return err
	}
	defer a.Close()
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return err
	}
	return wails.Run(a.Options(page))
}

// handOver lets Wails tell the first process to show its window, which ends
// this one. Where there is no session bus to tell it over, it comes back here.
func handOver(data paths.Data) error {
	err := wails.Run(&options.App{
		StartHidden:        true,
		SingleInstanceLock: &options.SingleInstanceLock{UniqueId: app.InstanceID(data)},
		OnStartup: func(context.Context) {
			fmt.Fprintln(os.Stderr, app.ErrRunning)
			os.Exit(1)
		},
	})
	return errors.Join(app.ErrRunning, err)
}
