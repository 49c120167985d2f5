package paths

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindData(t *testing.T) {
	home := t.TempDir()
	tests := map[string]struct{ data, xdg, want string }{
		"named":            {filepath.Join(home, "mine"), filepath.Join(home, "xdg"), filepath.Join(home, "mine")},
		"of the platform":  {"", filepath.Join(home, "xdg"), filepath.Join(home, "xdg", "lathe")},
		"of the home":      {"", "", filepath.Join(home, ".local", "share", "lathe")},
		"a relative XDG":   {"", "relative", filepath.Join(home, ".local", "share", "lathe")},
		"with odd letters": {filepath.Join(home, "a b%ü"), "", filepath.Join(home, "a b%ü")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", home)
			t.Setenv("LATHE_DATA", test.data)
			t.Setenv("XDG_DATA_HOME", test.xdg)
			data, err := FindData()
			if err != nil || data.Root != test.want {
				t.Fatalf("%s, %v", data.Root, err)
			}
			for _, folder := range []string{data.Root, data.Files, data.Models, data.Log} {
				info, err := os.Stat(folder)
				if err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("%s: %v, %v", folder, info, err)
				}
			}
		})
	}
}

func TestFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LATHE_DATA", filepath.Join(file, "below"))
	if _, err := FindData(); err == nil {
		t.Error("a folder below a file was made")
	}
}
