// Package paths knows where the application's own files are.
package paths

import (
	"fmt"
	"os"
	"path/filepath"
)

// Data holds the places of what belongs to the person. All lie in one folder,
// so that a copy of it is a copy of everything.
type Data struct {
	Root     string // LATHE_DATA, else the platform's data folder
	Database string // lathe.db
	Files    string // files/: outputs and attached files by their hash
	Models   string // models/: of the bundled model server
	Log      string // log/
}

// FindData returns the data folder and makes what is missing of it, readable
// by its owner only.
func FindData() (Data, error) {
	root := os.Getenv("LATHE_DATA")
	if root == "" {
		base, err := dataHome()
		if err != nil {
			return Data{}, err
		}
		root = filepath.Join(base, "lathe")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return Data{}, fmt.Errorf("data folder: %w", err)
	}
	data := Data{
		Root:     root,
		Database: filepath.Join(root, "lathe.db"),
		Files:    filepath.Join(root, "files"),
		Models:   filepath.Join(root, "models"),
		Log:      filepath.Join(root, "log"),
	}
	for _, folder := range []string{data.Root, data.Files, data.Models, data.Log} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return Data{}, fmt.Errorf("data folder: %w", err)
		}
	}
	return data, nil
}

// dataHome is the platform's folder for data of applications.
func dataHome() (string, error) {
	if home := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(home) {
		return home, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	return filepath.Join(home, ".local", "share"), nil
}

// Resources holds the places of what is installed beside the program.
type Resources struct {
	Pyodide string // pyodide/: interpreter and packages
	Ollama  string // ollama/: the bundled model server
	Starter string // starter/: the model that comes with the application
}

// FindResources looks beside the program (resources/) and where a package
// installs (../share/lathe). Nothing is checked for being there: each part says
// clearly what it lacks when it is needed.
func FindResources() (Resources, error) {
	program, err := os.Executable()
	if err != nil {
		return Resources{}, fmt.Errorf("resources: %w", err)
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return Resources{}, fmt.Errorf("resources: %w", err)
	}
	folder := filepath.Dir(program)
	root := filepath.Join(folder, "resources")
	if _, err := os.Stat(root); err != nil {
		root = filepath.Join(filepath.Dir(folder), "share", "lathe")
	}
	return ResourcesIn(root), nil
}

// ResourcesIn names the resources in a given folder.
func ResourcesIn(root string) Resources {
	return Resources{
		Pyodide: filepath.Join(root, "pyodide"),
		Ollama:  filepath.Join(root, "ollama"),
		Starter: filepath.Join(root, "starter"),
	}
}
