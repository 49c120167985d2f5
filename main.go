// Command lathe opens the window.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/wailsapp/wails/v2"

	"lathe/app"
)

//go:embed all:frontend/dist
var dist embed.FS

//go:embed build/appicon.png
var icon []byte

func main() {
	app.SetWebviewEnvironment()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, app.Failure(err))
		os.Exit(1)
	}
}

func run() error {
	a, err := app.Open()
	if errors.Is(err, app.ErrRunning) {
		// The first process shows its window, which ends this one. Where there is
		// no session bus to tell it over, Wails comes back here.
		return errors.Join(wails.Run(app.HandOver()), err)
	}
	if err != nil {
		return err
	}
	defer a.Close()
	page, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		return err
	}
	return wails.Run(a.Options(page, icon))
}
