package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/plugins"
)

// documents are run from their first block to their last, each by one user in a home of their
// own. UPDATE=1 writes the real output into them.
var documents = []string{"README.md", "docs/overview.md", "docs/plugins.md", "docs/plugins-install.md", "docs/plan-checks.md", "docs/policy.md", "docs/drafts.md", "docs/languages.md", "docs/recipes.md"}

const (
	repository = "../.."
	ann        = "/home/ann" // the home in the documents
)

// TestDocuments does what the documents say and wants what they show.
//
// A ```console block holds commands after "$ " and below each what it prints,
// standard error included. They run in a folder of the document's own, with
// the shell and nothing else granted. A block of another language below a line
// that ends in a file's name and a colon is written to that file first;
// errand.toml and recipes/ go where the program looks for them. "…" in a document stands
// for anything, on a line of its own for any lines; ids, times and digests of
// a run are taken for equal. An id in a command is the one that was printed
// where the document shows it.
func TestDocuments(t *testing.T) {
	if _, err := plugins.BundledFolders(); err != nil {
		t.Fatal(err)
	}
	program := buildProgram(t)
	for _, name := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := filepath.Join(repository, filepath.FromSlash(name))
			source := must.ReadFile(t, place)
			d, err := parseDocument(string(source))
			if err != nil {
				t.Fatalf("%s:%v", name, err)
			}
			r := newReader(t, program)
			for i := range d.blocks {
				r.follow(t, name, &d.blocks[i])
			}
			if os.Getenv("UPDATE") == "" {
				return
			}
			must.Succeed(t, os.WriteFile(place, []byte(d.String()), 0o644))
		})
	}
}

// TestDocumentReferences checks that links and pictures lead to files, and that make has the
// named targets.
func TestDocumentReferences(t *testing.T) {
	targets := makeTargets(t)
	for _, name := range append(documents, "ARCHITECTURE.md", "RATIONALE.md", "CONTRIBUTING.md") {
		source := must.ReadFile(t, filepath.Join(repository, filepath.FromSlash(name)))
		for _, m := range regexp.MustCompile(`\]\(([^)#\s]+)`).FindAllStringSubmatch(string(source), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file := filepath.Join(repository, filepath.Dir(name), filepath.FromSlash(m[1]))
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Errorf("%s names %s, which is not there", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("(?m)(?:^|`)make ([a-z0-9-]+)").FindAllStringSubmatch(string(source), -1) {
			if !targets[m[1]] {
				t.Errorf("%s says make %s, which the Makefile doesn't know", name, m[1])
			}
		}
	}
}

func makeTargets(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, "build", "*.mk"))
	must.Succeed(t, err)
	targets := map[string]bool{}
	for _, file := range append(files, filepath.Join(repository, "Makefile")) {
		b := must.ReadFile(t, file)
		for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(string(b), -1) {
			targets[m[1]] = true
		}
	}
	return targets
}

// reader is a user who does what a document says.
type reader struct {
	home, folder string
	env          []string
	exit         string // code of the last command, for `echo $?`
	browser      bool
	ids          names
}

// buildProgram returns the folder of the program, built without the race detector: that of
// ERRAND_BIN if it is set, otherwise a new one.
func buildProgram(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("ERRAND_BIN"); built != "" {
		return filepath.Dir(built)
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "errand"), "./cmd/errand")
	build.Dir, build.Env = repository, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return dir
}

func newReader(t *testing.T, program string) *reader {
	t.Helper()
	home := filepath.Join(t.TempDir(), "ann")
	r := &reader{home: home, folder: filepath.Join(home, "work"), exit: "0", ids: names{}}
	must.Succeed(t, os.MkdirAll(r.folder, 0o700))
	// Go would count its own use in the background, in a home that is gone soon.
	mode := filepath.Join(home, ".config", "go", "telemetry", "mode")
	err := errors.Join(os.MkdirAll(filepath.Dir(mode), 0o700), os.WriteFile(mode, []byte("off"), 0o600))
	must.Succeed(t, err)
	if r.browser, err = hasBrowser(); err != nil {
		t.Fatal(err)
	}
	r.env = []string{"HOME=" + home, "PATH=" + program + string(filepath.ListSeparator) + os.Getenv("PATH"), "TZ=UTC", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local"}
	for _, key := range []string{"GOCACHE", "GOMODCACHE"} { // compiled once for all homes
		value, err := exec.Command("go", "env", key).Output()
		if err != nil {
			t.Fatalf("ask go for its %s: %v", key, err)
		}
		r.env = append(r.env, key+"="+strings.TrimSpace(string(value)))
	}
	return r
}

// follow does what one block says.
func (r *reader) follow(t *testing.T, document string, b *block) {
	t.Helper()
	if b.file != "" {
		r.write(t, b)
		return
	}
	for i := range b.commands {
		c := &b.commands[i]
		if strings.HasPrefix(c.line, "errand demo") && !r.browser {
			t.Logf("%s:%d: not run, because there is no browser: %s", document, c.at, c.line)
			continue
		}
		got := r.run(t, r.ids.in(c.line))
		r.ids.learn(c.output, got)
		if matchLines(c.output, got) {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("%s:%d: $ %s\n%s", document, c.at, c.line, difference(c.output, got))
		}
		c.output = updated(c.output, got)
	}
}

func (r *reader) write(t *testing.T, b *block) {
	t.Helper()
	place := filepath.Join(r.folder, b.file)
	if b.file == "errand.toml" || strings.HasPrefix(b.file, "recipes/") {
		place = filepath.Join(r.home, ".config", "errand", b.file)
	}
	must.Succeed(t, os.MkdirAll(filepath.Dir(place), 0o700))
	text := strings.ReplaceAll(strings.Join(b.lines, "\n")+"\n", ann, r.home)
	must.Succeed(t, os.WriteFile(place, []byte(text), 0o600))
}

// run runs a line of shell and returns its output in ann's home.
func (r *reader) run(t *testing.T, line string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	// The parentheses give the line the exit code of the one before.
	cmd := exec.CommandContext(ctx, "sh", "-c", "(exit "+r.exit+")\n"+strings.ReplaceAll(line, ann, r.home))
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.folder, r.env, 10*time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // one pipe, so that the order is that of a terminal
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("$ %s: %v", line, err)
	}
	r.exit = strconv.Itoa(max(cmd.ProcessState.ExitCode(), 0))
	text := strings.ReplaceAll(out.String(), r.home, ann)
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
