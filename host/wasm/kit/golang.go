package kit

import (
	"context"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"errand/planner/message"
)

func (j job) golang(ctx context.Context) (toolchain, error) {
	program := j.find("go")
	if program == "" {
		return toolchain{}, missingError(Go, message.New("kit.no_go"))
	}
	version := j.ask(ctx, program, "env", "GOVERSION")
	if m := regexp.MustCompile(`^go1\.(\d+)`).FindStringSubmatch(version); m != nil {
		if minor, _ := strconv.Atoi(m[1]); minor < 24 {
			return toolchain{}, missingError(Go, message.New("kit.old_go", "program", program, "version", version))
		}
	}
	return toolchain{version, func(ctx context.Context, j job) error {
		args := []string{"build", "-trimpath", "-buildvcs=false", "-o", j.out}
		if !j.debug {
			args = append(args, "-ldflags=-w") // names stay: a stack is read by them
		}
		if j.library {
			args = append(args, "-buildmode=c-shared")
		}
		what, err := j.packages(ctx, program)
		if err != nil {
			return err
		}
		return j.run(ctx, j.folder, []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS="}, program, append(args, what...)...)
	}}, nil
}

// packages returns what to build: the folder's package, or its files if there is
// no Go module.
func (j job) packages(ctx context.Context, program string) ([]string, error) {
	cmd := j.command(ctx, j.folder, nil, program, "env", "GOMOD")
	cmd.Stdout = nil // for Output to set
	out, err := cmd.Output()
	if module := strings.TrimSpace(string(out)); err == nil && module != "" && module != os.DevNull {
		return []string{"."}, nil
	}
	return fs.Glob(os.DirFS(j.folder), "*.go")
}
