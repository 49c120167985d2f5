package app

import "os"

// webviewEnvironment is what WebKit's JavaScript engine reads when it starts:
//   - SharedArrayBuffer, without which running Python can't be interrupted;
//   - a higher threshold for its slowest compiler, which makes the interpreter
//     start 2.5 times cheaper while hot loops keep their speed (measured in
//     WebKitGTK 2.50).
var webviewEnvironment = map[string]string{
	"JSC_useSharedArrayBuffer":               "1",
	"JSC_thresholdForOMGOptimizeAfterWarmUp": "5000000",
}

// SetWebviewEnvironment must be called before the window is made, since the web
// process inherits the environment. What the person set stays.
func SetWebviewEnvironment() {
	for name, value := range webviewEnvironment {
		if _, set := os.LookupEnv(name); !set {
			// Setenv fails only for malformed names.
			_ = os.Setenv(name, value)
		}
	}
}
