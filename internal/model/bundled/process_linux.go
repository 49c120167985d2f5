package bundled

import "syscall"

// boundToParent lets the system ask the child to end when this process is gone.
// SIGTERM, not SIGKILL: the server must still end its runners. It leads a group
// of its own, so that all of them can be ended together.
func boundToParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
}

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
