package bundled

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// patience is how long the process may take to end when it is asked to.
const patience = 5 * time.Second

// process is a running child.
type process struct {
	command *exec.Cmd
	done    chan struct{}
	err     error // how it ended; to be read after done
}

// startProcess starts a child that ends with this process, however that ends.
func startProcess(program string, args, env []string, output *os.File) (*process, error) {
	// Not bound to a context: it is asked to end, by end, before it is killed.
	command := exec.CommandContext(context.Background(), program, args...)
	command.Env = env
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = boundToParent()

	p := &process{command: command, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		// The kernel sends the parent-death signal when the thread that made the
		// child ends, not the process; so that thread stays here until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := command.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.err = command.Wait()
		if p.err == nil {
			p.err = errors.New("without an error")
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start the model server: %w", err)
	}
	return p, nil
}

// end asks the process to end, since only then it ends its own children in
// peace. What is left of its group then, also after it died by itself, is killed.
func (p *process) end() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
	}
	killGroup(p.command.Process.Pid)
	<-p.done
}
