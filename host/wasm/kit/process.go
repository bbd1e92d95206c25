package kit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// machine is the environment to find and run compilers in.
type machine struct {
	env  []string  // in the format of os.Environ
	out  io.Writer // receives the compilers' output
	note func(message.Message)
}

// get returns a variable; its last setting counts.
func (m machine) get(name string) string {
	for _, pair := range slices.Backward(m.env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// findAll returns every program with this name on the PATH, in order.
func (m machine) findAll(name string) []string {
	var found []string
	for _, dir := range filepath.SplitList(m.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // never run a program from the current folder
		}
		if place, err := exec.LookPath(filepath.Join(dir, name)); err == nil && !slices.Contains(found, place) {
			found = append(found, place)
		}
	}
	return found
}

// find returns the first program with this name, or "".
func (m machine) find(name string) string {
	if all := m.findAll(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// ask returns a program's output, or "" if it fails.
func (m machine) ask(ctx context.Context, program string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := m.command(ctx, "", nil, program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, nil
	if cmd.Run() != nil {
		return ""
	}
	return strings.TrimSpace(out.String())
}

// run runs a compiler in a folder and passes on its output.
func (m machine) run(ctx context.Context, folder string, env []string, program string, args ...string) error {
	return m.runCommand(ctx, m.command(ctx, folder, env, program, args...))
}

func (m machine) runCommand(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	name := filepath.Base(cmd.Path)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.build_failed", "program", name, "cause", exit))
	}
	return tool.NewError(tool.ExecutionError, "build_failed", message.New("kit.start", "program", name, "cause", err))
}

// command returns a command that ends with ctx, including its children.
func (m machine) command(ctx context.Context, folder string, env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = folder, slices.Concat(m.env, env)
	cmd.Stdout, cmd.Stderr = m.out, m.out
	cmd.WaitDelay = 5 * time.Second
	useProcessGroup(cmd)
	return cmd
}
