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
)

// machine is where compilers are looked for and run.
type machine struct {
	env []string  // as os.Environ gives it
	out io.Writer // what compilers say, good or bad
}

// get answers a variable; the last setting of a name counts.
func (m machine) get(name string) string {
	for _, pair := range slices.Backward(m.env) {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// all answers every program of that name on the PATH, in its order.
func (m machine) all(name string) []string {
	var found []string
	for _, dir := range filepath.SplitList(m.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // a program of the folder that one happens to stand in is nobody's compiler
		}
		if place, err := exec.LookPath(filepath.Join(dir, name)); err == nil && !slices.Contains(found, place) {
			found = append(found, place)
		}
	}
	return found
}

// find answers the first program of that name, "" for none.
func (m machine) find(name string) string {
	if all := m.all(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// ask answers what a program prints when it is asked about itself, "" where it
// fails.
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

// run runs a compiler in a folder; what it says goes through.
func (m machine) run(ctx context.Context, folder string, env []string, program string, args ...string) error {
	return m.finished(ctx, m.command(ctx, folder, env, program, args...))
}

func (m machine) finished(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Run()
	name := filepath.Base(cmd.Path)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return tool.Errorf(tool.ExecutionError, "build_failed", "%s did not build the plugin: %v", name, exit)
	}
	return tool.Errorf(tool.ExecutionError, "build_failed", "start %s: %v", name, err)
}

// command ends with ctx, and all that it started with it.
func (m machine) command(ctx context.Context, folder string, env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = folder, slices.Concat(m.env, env)
	cmd.Stdout, cmd.Stderr = m.out, m.out
	cmd.WaitDelay = 5 * time.Second
	together(cmd)
	return cmd
}
