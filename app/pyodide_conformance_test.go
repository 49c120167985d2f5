package app

import (
	"testing"

	"lathe/internal/kernel"
	"lathe/internal/kernel/kerneltest"
)

// The engine in the page, in the real webview under the real policies.
func TestPyodideConformance(t *testing.T) {
	a := window(t)
	kerneltest.Run(t, func(t *testing.T) kernel.Kernel {
		k, err := a.host.New(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return k
	})
}
