// Command errand-rego compiles and tests policies that are written in Rego, the language of the
// Open Policy Agent. It is a program of its own because the compiler is large and slow to start:
// errand starts it only for policies that it has not compiled yet.
//
// It reads one request as JSON from standard input and writes one answer as JSON to standard
// output. It reads no file and opens no connection.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/open-policy-agent/opa/v1/version"
)

// maxRequest is the most bytes of one request.
const maxRequest = 32 << 20

// file is one policy file.
type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// request is what is asked.
type request struct {
	Files []file `json:"files"`
	// Entry is the rule to evaluate, such as "errand/deny". Empty means the verdict of all rules.
	Entry string `json:"entry,omitempty"`
}

// problem is one error in a policy. Line counts from 1; 0 means that it concerns the whole file.
type problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// answer is the answer to a request. If it has problems, it has nothing else.
type answer struct {
	Version  string          `json:"version,omitempty"`
	Wasm     []byte          `json:"wasm,omitempty"`
	Tests    []testResult    `json:"tests,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	Problems []problem       `json:"problems,omitempty"`
}

var commands = map[string]func(context.Context, request) (answer, error){
	"compile": compileWasm,
	"test":    runTests,
	"version": func(context.Context, request) (answer, error) { return answer{Version: version.Version}, nil },
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "errand-rego:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 || commands[args[0]] == nil {
		return errors.New("usage: errand-rego compile | test | version; the request is JSON on standard input")
	}
	var r request
	if args[0] != "version" {
		text, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
		if err != nil {
			return err
		}
		if len(text) > maxRequest {
			return fmt.Errorf("the request is longer than %d bytes", maxRequest)
		}
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("the request is not valid: %w", err)
		}
	}
	a, err := commands[args[0]](ctx, r)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(a)
}
