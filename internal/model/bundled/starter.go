package bundled

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

	"github.com/ollama/ollama/api"

	"lathe/internal/model/ollama"
)

// StarterName is the starter model's name on the bundled server.
const StarterName = "smollm2:135m"

const starterTitle = "SmolLM2 135M"

// starterTemplate is ChatML, as the model was trained.
const starterTemplate = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`

// starterParameters: the model's makers advise a low temperature; a penalty on
// repeats makes so small a model avoid the very words of the question.
var starterParameters = map[string]any{
	"temperature":    0.2,
	"top_p":          0.9,
	"repeat_penalty": 1.0,
	"stop":           []string{"<|im_end|>", "<|im_start|>"},
}

// installStarter gives the server the starter model where it lacks it. A
// missing file is no failure: the server then has the models it has.
func (s *Server) installStarter(ctx context.Context, server *ollama.Server) error {
	if s.options.Starter == "" {
		return nil
	}
	client := server.Client()
	list, err := client.List(ctx)
	if err != nil {
		return fmt.Errorf("list models: %w", err)
	}
	for _, item := range list.Models {
		if item.Name == StarterName {
			return nil
		}
	}
	file, err := os.Open(s.options.Starter)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("starter model: %w", err)
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return fmt.Errorf("starter model: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("starter model: %w", err)
	}
	digest := "sha256:" + hex.EncodeToString(sum.Sum(nil))
	if err := client.CreateBlob(ctx, digest, file); err != nil {
		return fmt.Errorf("starter model: %w", err)
	}
	request := &api.CreateRequest{
		Model:      StarterName,
		Files:      map[string]string{filepath.Base(s.options.Starter): digest},
		Template:   starterTemplate,
		Parameters: starterParameters,
	}
	if err := client.Create(ctx, request, func(api.ProgressResponse) error { return nil }); err != nil {
		return fmt.Errorf("starter model: %w", err)
	}
	return nil
}
