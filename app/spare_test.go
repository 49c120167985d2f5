package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAvailableMemory(t *testing.T) {
	tests := map[string]struct {
		content string
		free    int64
		known   bool
	}{
		"ordinary": {"MemTotal:       24000000 kB\nMemAvailable:    1024 kB\nBuffers: 3 kB\n", 1 << 20, true},
		"old":      {"MemTotal:       24000000 kB\n", 0, false},
		"odd":      {"MemAvailable: much kB\n", 0, false},
		"empty":    {"", 0, false},
	}
	for name, test := range tests {
		path := filepath.Join(t.TempDir(), "meminfo")
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		free, known := availableMemory(path)
		if known != test.known || known && free != test.free {
			t.Errorf("%s: %d, %v", name, free, known)
		}
	}
	if _, known := availableMemory(filepath.Join(t.TempDir(), "none")); known {
		t.Error("a file that is not there is known")
	}
}
