package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"lathe/internal/apperr"
)

// frame is the window's size as it was left, in device-independent pixels.
type frame struct {
	path      string
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// loadFrame reads the frame of the last time. A missing or odd one is no
// failure: the window then has its first size.
func loadFrame(path string) frame {
	first := frame{path: path, Width: 1280, Height: 860}
	body, err := os.ReadFile(path)
	if err != nil {
		return first
	}
	last := first
	if err := json.Unmarshal(body, &last); err != nil || last.Width < 640 || last.Height < 480 ||
		last.Width > 16384 || last.Height > 16384 {
		return first
	}
	return last
}

func (f frame) startState() options.WindowStartState {
	if f.Maximised {
		return options.Maximised
	}
	return options.Normal
}

// beforeClose keeps the frame. It never prevents the closing.
func (a *App) beforeClose(ctx context.Context) bool {
	now := a.frame
	if now.Maximised = runtime.WindowIsMaximised(ctx); !now.Maximised {
		now.Width, now.Height = runtime.WindowGetSize(ctx)
	}
	body, err := json.Marshal(now)
	if err == nil {
		err = os.WriteFile(now.path, body, 0o600)
	}
	if err != nil {
		a.log.Warn("keep the window's size", "error", err)
	}
	return false
}

// lockFolder takes the data folder for this process. The lock goes with the
// process, however it ends.
func lockFolder(root string) (*os.File, error) {
	path := filepath.Join(root, "lock")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, apperr.Wrap(err, apperr.DataFolderReadOnly, "path", root)
	}
	// #nosec G115 -- a file descriptor is a small number
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		closeErr := file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(ErrRunning, closeErr)
		}
		return nil, errors.Join(fmt.Errorf("lock the data folder: %w", err), closeErr)
	}
	return file, nil
}
