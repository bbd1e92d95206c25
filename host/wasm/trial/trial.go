// Package trial runs the cases of a plugin's manifest. Each call has its own
// folders, the settings of its case, the plugin's own limits and recorded
// responses in place of the network. A case has the same result on every machine,
// unless that depends on randomness, which is real, or on the clock and the case
// sets no time.
package trial

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// Options configure [Run].
type Options struct {
	CacheDir, KeyFile string                  // cache of compiled modules, as in [wasm.Options]
	Reserved          []string                // ids that plugins can't have, as in [wasm.Options]
	Effort            func(plugin string) int // of compiling, as in [wasm.Options]
	// Record returns a client whose responses are recorded; existing recordings
	// are not used. It must permit only the given hosts. Nil replays the
	// recordings.
	Record func(caller string, hosts []string) *http.Client
	// Selects selects cases by tool and title. Nil selects all.
	Selects func(tool, title string) bool
}

// Outcome is the result of a case.
type Outcome struct {
	Tool     string              `json:"tool"`
	Case     string              `json:"case"`
	Number   int                 `json:"number"`          // among all cases of the manifest, from 0
	Diffs    []Diff              `json:"diffs"`           // none: it passed
	Error    *tool.Error         `json:"error,omitempty"` // what the call answered where a payload was expected
	Logs     []wasm.LogLine      `json:"logs"`
	Duration time.Duration       `json:"duration_ns"`
	Recorded []manifest.Exchange `json:"recorded,omitempty"`
}

// HasPassed reports whether the result was as expected.
func (o Outcome) HasPassed() bool { return len(o.Diffs) == 0 }

// Run runs the cases of a plugin one after the other, in the order of the
// manifest. The error is for a plugin that can't be loaded, a temporary folder
// that can't be created, or ctx. A failed case is an outcome.
func Run(ctx context.Context, fsys fs.FS, o Options) (outcomes []Outcome, err error) {
	s, err := open(fsys, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close(ctx)) }()
	number := -1
	for _, t := range s.manifest.Tools {
		for n, c := range t.Cases {
			number++
			title := c.Title(n + 1)
			if o.Selects != nil && !o.Selects(t.Name, title) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return outcomes, err
			}
			out := Outcome{Tool: t.Name, Case: title, Number: number}
			if err := s.run(ctx, &out, c); err != nil {
				return outcomes, err
			}
			outcomes = append(outcomes, out)
		}
	}
	if len(outcomes) == 0 { // report an error even if the plugin has no cases
		return outcomes, s.checkReady(ctx)
	}
	return outcomes, nil
}

// checkReady checks that the plugin can be called.
func (s *stage) checkReady(ctx context.Context) error {
	p, err := s.host.Load(s.fsys)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close(ctx) }()
	return p.Prepare(ctx)
}

// run runs one case.
func (s *stage) run(ctx context.Context, out *Outcome, c manifest.Case) error {
	if err := s.set(c); err != nil {
		return err
	}
	// Load the plugin again, so that a sticky one keeps no state between cases.
	p, err := s.host.Load(s.fsys)
	if err != nil {
		return err
	}
	args, _ := s.insertRoot(plainValue(c.Args)).(map[string]any)
	if args == nil {
		args = map[string]any{}
	}
	defer func() { _ = p.Close(ctx) }() // closing the host reports the error
	tools := p.Tools()
	i := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Spec().Name == out.Tool })
	if i < 0 {
		return tool.NewError(tool.ValidationError, "unknown_tool", message.New("kit.unknown_tool", "tool", out.Tool))
	}
	t := tools[i]
	if err := p.Prepare(ctx); err != nil {
		return err
	}
	start := time.Now()
	result := s.call(ctx, t, args)
	out.Duration = time.Since(start)
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Logs = s.current.logs
	out.Error = result.Error
	out.Diffs = s.compare(c, result)
	if s.o.Record != nil {
		out.Recorded = s.current.net.newExchanges
		if s.current.net.recordErr != nil {
			out.Diffs = append(out.Diffs, Diff{Field: "http", Got: message.FromError(s.current.net.recordErr)})
		}
		return nil
	}
	for _, x := range s.current.net.unusedExchanges() {
		out.Diffs = append(out.Diffs, Diff{Field: "http", Want: x.Method + " " + x.URL, Got: message.New("kit.request_not_made")})
	}
	return nil
}

// call calls the tool as the program would, including the check of the schema.
func (s *stage) call(ctx context.Context, t tool.Tool, args map[string]any) tool.Result {
	if err := s.schemas.Check(t.Spec(), args); err != nil {
		return tool.Result{Error: err}
	}
	result, err := t.Call(ctx, tool.Call{RunID: "case", ActionID: "a1", Tool: t.Spec().Name, Args: args, Key: key(t.Spec())})
	if err != nil { // the plugin ended without an answer
		return tool.Result{Error: tool.AsError(err)}
	}
	return result
}

// key is the constant idempotency key of all cases.
func key(spec tool.Spec) string {
	if spec.SideEffectClass == tool.Read {
		return ""
	}
	return "case:a1"
}
