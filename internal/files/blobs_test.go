package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lathe/internal/apperr"
)

func TestBlobs(t *testing.T) {
	root := t.TempDir()
	blobs := NewBlobs(root)
	first, err := blobs.Put([]byte("chart"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := blobs.Put([]byte("chart"))
	if err != nil || again != first {
		t.Errorf("the same content is %s and %s, %v", first, again, err)
	}
	var kept []string
	err = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			kept = append(kept, path)
		}
		return err
	})
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	file, err := blobs.Blob(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(file)
	if closeErr := file.Close(); err != nil || closeErr != nil || string(body) != "chart" {
		t.Errorf("read %q, %v, %v", body, err, closeErr)
	}
	// A file that was cut by a crash or a full disk is written anew.
	if err := os.Truncate(kept[0], 2); err != nil {
		t.Fatal(err)
	}
	if _, err := blobs.Put([]byte("chart")); err != nil {
		t.Fatal(err)
	}
	if body, err := os.ReadFile(kept[0]); err != nil || string(body) != "chart" {
		t.Errorf("after a cut: %q, %v", body, err)
	}
}

func TestUnknownBlobs(t *testing.T) {
	blobs := NewBlobs(t.TempDir())
	for _, hash := range []string{
		"", "..", "../../etc/passwd", strings.Repeat("a", 63), strings.Repeat("z", 64), strings.Repeat("a", 64),
		strings.Repeat("a", 62) + "/x",
	} {
		if _, err := blobs.Blob(t.Context(), hash); !apperr.Is(err, apperr.NotFound) {
			t.Errorf("%q: %v", hash, err)
		}
	}
}

func TestSweep(t *testing.T) {
	blobs := NewBlobs(t.TempDir())
	kept, _ := blobs.Put([]byte("kept"))
	young, _ := blobs.Put([]byte("young"))
	old, _ := blobs.Put([]byte("old"))
	again, _ := blobs.Put([]byte("again"))
	long := time.Now().Add(-48 * time.Hour)
	for _, hash := range []string{kept, old, again} {
		if err := os.Chtimes(blobs.path(hash), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := blobs.Put([]byte("again")); err != nil {
		t.Fatal(err)
	}
	if err := blobs.Sweep(map[string]bool{kept: true}, time.Hour); err != nil {
		t.Fatal(err)
	}
	for hash, want := range map[string]bool{kept: true, young: true, again: true, old: false} {
		if _, err := os.Stat(blobs.path(hash)); (err == nil) != want {
			t.Errorf("%s is there: %v", hash[:8], err == nil)
		}
	}
}
