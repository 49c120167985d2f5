// Package files keeps bytes: outputs and attached files by the hash of their
// content, so that the same chart is stored once.
package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lathe/internal/apperr"
)

// Blobs is a content-addressed store in a folder. It may be used from any
// goroutine and by several processes.
type Blobs struct{ root string }

// NewBlobs keeps files under root, which must exist.
func NewBlobs(root string) *Blobs { return &Blobs{root: root} }

// Put keeps content and returns its hash (SHA-256, hex). When it returns, the
// content is on disk. Content that is there already is not written again.
func (b *Blobs) Put(content []byte) (string, error) {
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	path := b.path(hash)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(content)) {
		// It is needed once more: Sweep goes by its time.
		now := time.Now()
		if err := os.Chtimes(path, now, now); err == nil {
			return hash, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("keep a file: %w", err)
	}
	if err := writeWhole(path, content); err != nil {
		return "", fmt.Errorf("keep a file: %w", err)
	}
	return hash, nil
}

// writeWhole makes a file appear under its name only when all of it is on disk.
func writeWhole(path string, content []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(content); err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Blob opens the content with a hash for reading; the caller closes it. An
// unknown or malformed hash gives apperr.NotFound.
func (b *Blobs) Blob(_ context.Context, hash string) (io.ReadSeekCloser, error) {
	if raw, err := hex.DecodeString(hash); err != nil || len(raw) != sha256.Size {
		return nil, apperr.New(apperr.NotFound, "what", "file")
	}
	file, err := os.Open(b.path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, apperr.Wrap(err, apperr.NotFound, "what", "file")
	}
	if err != nil {
		return nil, fmt.Errorf("open a file: %w", err)
	}
	return file, nil
}

// Sweep deletes the files that are not needed and older than age; younger ones
// may belong to something that is being kept right now.
func (b *Blobs) Sweep(needed map[string]bool, age time.Duration) (err error) {
	root, err := os.OpenRoot(b.root)
	if err != nil {
		return fmt.Errorf("sweep files: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || needed[entry.Name()] {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) < age {
			return nil
		}
		if err != nil {
			return err
		}
		return root.Remove(path)
	})
}

// path spreads the files over 256 folders. hash must be well formed.
func (b *Blobs) path(hash string) string { return filepath.Join(b.root, hash[:2], hash) }
