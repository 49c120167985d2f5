package bundled

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lathe/internal/apperr"
	"lathe/internal/model"
	"lathe/internal/model/ollama"
)

// resources is where the build puts the real server and model.
const resources = "../../../build/bin/resources"

func TestMain(m *testing.M) {
	if folder := os.Getenv("LATHE_TEST_PARENT"); folder != "" {
		server := Start(options(folder))
		if _, err := server.Version(context.Background()); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println(server.Status().URL)
		select {} // until it is killed
	}
	os.Exit(m.Run())
}

func options(folder string) Options {
	return Options{
		Program: filepath.Join(resources, "ollama", "ollama"),
		Models:  filepath.Join(folder, "models"),
		Log:     filepath.Join(folder, "log", "model-server.log"),
		Starter: filepath.Join(resources, "starter", "SmolLM2-135M-Instruct.Q4_1.gguf"),
		Limits:  ollama.DefaultLimits,
	}
}

func needsServer(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(options("").Program); err != nil {
		t.Fatalf("the model server is not built: run make build first (%v)", err)
	}
}

// A few shots in a row make the starter model write a block of Python.
func TestStarterAnswersAtFirstStart(t *testing.T) {
	needsServer(t)
	server := Start(options(t.TempDir()))
	defer server.Close()
	models, err := server.Models(t.Context())
	if err != nil || len(models) != 1 || models[0].Name != StarterName || models[0].ContextLength != 8192 {
		t.Fatalf("models %+v, %v", models, err)
	}
	var answer strings.Builder
	zero, one := 0.0, 1
	result, err := server.Chat(t.Context(), model.Request{
		Model: StarterName,
		Messages: []model.Message{
			{Role: model.System, Content: "You write Python. Answer only with one python code block."},
			{Role: model.User, Content: "Print 1+1."},
			{Role: model.Assistant, Content: "```python\nprint(1+1)\n```"},
			{Role: model.User, Content: "Print 2+2."},
		},
		Options: model.Options{ContextLength: 2048, Temperature: &zero, NumThread: &one},
	}, func(delta model.Delta) { answer.WriteString(delta.Text) })
	if err != nil {
		t.Fatal(err)
	}
	squeezed := strings.ReplaceAll(answer.String(), " ", "")
	if !strings.Contains(squeezed, "```python") || !strings.Contains(squeezed, "print(2+2)") {
		t.Errorf("answer: %q", answer.String())
	}
	if result.OutputTokens == 0 || result.OutputDuration == 0 {
		t.Errorf("result: %+v", result)
	}
	address := server.Status().URL
	server.Close()
	if answers(address) {
		t.Error("the server lives on after Close")
	}
}

func answers(address string) bool {
	client := http.Client{Timeout: time.Second}
	response, err := client.Get(address + "/api/version")
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return true
}

// However the application ends, server and runner end as well.
func TestKilledParentLeavesNothing(t *testing.T) {
	needsServer(t)
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), "LATHE_TEST_PARENT="+t.TempDir())
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 256)
	n, err := out.Read(buffer)
	address := strings.TrimSpace(string(buffer[:n]))
	if err != nil || !strings.HasPrefix(address, "http") {
		t.Fatalf("the child said %q, %v", address, err)
	}
	load := fmt.Sprintf(`{"model":%q,"prompt":"Hi","stream":false,"options":{"num_predict":1,"num_thread":1}}`, StarterName)
	response, err := http.Post(address+"/api/generate", "application/json", strings.NewReader(load))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	family := descendants(child.Process.Pid)
	if len(family) < 2 {
		t.Fatalf("server and runner are %v", family)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	deadline := time.Now().Add(15 * time.Second)
	for _, pid := range family {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d lives on", pid)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// descendants lists the processes below one.
func descendants(pid int) []int {
	var found []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				found = append(append(found, child), descendants(child)...)
			}
		}
	}
	return found
}

func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}

func TestServerThatDiesIsStartedAgain(t *testing.T) {
	needsServer(t)
	server := Start(options(t.TempDir()))
	defer server.Close()
	one := 1
	_, err := server.Chat(t.Context(), model.Request{
		Model: StarterName, Messages: []model.Message{{Role: model.User, Content: "Hi"}},
		Options: model.Options{ContextLength: 512, NumPredict: &one, NumThread: &one},
	}, func(model.Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	first := server.Status().URL
	family := descendants(os.Getpid())
	if len(family) < 2 {
		t.Fatalf("server and runner are %v", family)
	}
	// The server alone dies, as when memory runs out; its runner must not live on.
	if err := syscall.Kill(family[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for status := server.Status(); status.Phase != Ready || status.URL == first; status = server.Status() {
		if time.Now().After(deadline) {
			t.Fatalf("not started again: %+v", status)
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range family {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d of the dead server lives on", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func TestMissingProgramIsSaid(t *testing.T) {
	server := Start(Options{Program: filepath.Join(t.TempDir(), "nothing")})
	defer server.Close()
	if _, err := server.Version(t.Context()); !apperr.Is(err, apperr.ModelServerMissing) {
		t.Errorf("%v", err)
	}
}

func TestProgramThatFailsIsGivenUp(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "ollama")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	server := Start(Options{Program: program, Models: folder, Log: filepath.Join(folder, "log")})
	defer server.Close()
	_, err := server.Version(t.Context())
	if !apperr.Is(err, apperr.ModelServerFailed) || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%v", err)
	}
}
