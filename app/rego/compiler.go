// Package rego opens the policies that the user wrote in Rego.
//
// The compiler is a program of its own, errand-rego. It is started only for policies that were not
// compiled before: what it compiled is kept, sealed, with the compiled plugins' key.
package rego

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"errand/app/config/policyfile"
	"errand/planner/message"
)

const (
	// compileTime is how long the compiler may take.
	compileTime = time.Minute
	// maxAnswer is the most bytes that the compiler may answer.
	maxAnswer = 64 << 20
)

// Compiler is the program that compiles policies.
type Compiler struct{ Path string }

// FindCompiler finds the compiler: in ERRAND_REGO, else beside this program, else where a package
// installs it. The zero Compiler means that there is none.
func FindCompiler(env []string) Compiler {
	for _, variable := range env {
		if path, ok := strings.CutPrefix(variable, "ERRAND_REGO="); ok && path != "" {
			return Compiler{path}
		}
	}
	own, err := os.Executable()
	if err != nil {
		return Compiler{}
	}
	name := "errand-rego"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := filepath.Dir(own)
	for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "..", "libexec", "errand", name)} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return Compiler{path}
		}
	}
	return Compiler{}
}

// Problem is an error in a policy file. File is empty if it is of no one file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// TestResult is the outcome of one test of a policy.
type TestResult struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Outcome string `json:"outcome"` // pass, fail, error or skip
	Message string `json:"message,omitempty"`
	Output  string `json:"output,omitempty"`
}

// question is what the compiler is asked.
type question struct {
	Files []policyfile.File `json:"files"`
}

// compiled is what the compiler answers.
type compiled struct {
	Wasm     []byte       `json:"wasm"`
	Tests    []TestResult `json:"tests"`
	Problems []Problem    `json:"problems"`
}

// Test runs the tests in the files. Problems are those of the files.
func (c Compiler) Test(ctx context.Context, files []policyfile.File) ([]TestResult, []Problem, error) {
	var answer compiled
	err := c.ask(ctx, "test", question{files}, &answer)
	slices.SortStableFunc(answer.Tests, func(x, y TestResult) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line)) })
	return answer.Tests, answer.Problems, err
}

// ask starts the compiler for one question. It gets no variable of the environment and no file.
func (c Compiler) ask(ctx context.Context, command string, q, answer any) error {
	if c.Path == "" {
		return message.Error("rego.no_compiler")
	}
	in, err := json.Marshal(q)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, compileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, command)
	cmd.Env, cmd.Stdin, cmd.WaitDelay = []string{}, bytes.NewReader(in), time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &limitedWriter{&out, maxAnswer}, &limitedWriter{&errs, 64 << 10}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return message.Error("rego.compiler_failed", "program", c.Path, "cause", err, "output", strings.TrimSpace(errs.String()))
	}
	if err := json.Unmarshal(out.Bytes(), answer); err != nil {
		return message.Error("rego.compiler_failed", "program", c.Path, "cause", err, "output", "")
	}
	return nil
}

var errTooLong = message.Error("rego.answer_too_long", "limit", maxAnswer)

// limitedWriter refuses more bytes than it has room for.
type limitedWriter struct {
	w    io.Writer
	room int
}

func (l *limitedWriter) Write(b []byte) (int, error) {
	if l.room -= len(b); l.room < 0 {
		return 0, errTooLong
	}
	return l.w.Write(b)
}
