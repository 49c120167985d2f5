package execution

import "strings"

// Python is the canonical name of the language that every engine has.
const Python = "python"

// pythonNames are what writers of fences call Python.
var pythonNames = map[string]bool{
	"python": true, "py": true, "python3": true, "py3": true, "ipython": true, "ipython3": true,
}

// LanguageOf returns the canonical name for the language of a fence (the first
// word of its info string), and whether an engine can run it.
func LanguageOf(info string) (string, bool) {
	name := strings.ToLower(strings.TrimSpace(info))
	if i := strings.IndexAny(name, " \t,{:"); i > 0 {
		name = name[:i]
	}
	if pythonNames[name] {
		return Python, true
	}
	return name, false
}
