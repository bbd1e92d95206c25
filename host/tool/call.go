package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Call is one request to a tool, after the dispatcher has checked it.
type Call struct {
	RunID  string
	CallID string // the action's id within the run: "a1"
	Tool   string
	Args   map[string]any
	Origin string // who asked: a plan's origin
}

// HashArgs is the SHA-256, in hex, of args as JSON with sorted keys: what an
// approval binds to and a step records.
func HashArgs(args map[string]any) string {
	if args == nil {
		args = map[string]any{}
	}
	b, err := json.Marshal(args) // sorts the keys of maps
	if err != nil {
		// Arguments come from JSON; what can't go back to it must match nothing.
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Tool is something that can be called.
//
// Call carries out one checked call. It must end soon after ctx does. A tool
// that says no answers with a [Result] whose OK is false; the Go error is for
// a machine that could not ask at all. Call may be used by several goroutines
// at once.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, call Call) (Result, error)
}

// Func makes a tool of a spec and a function.
func Func(spec Spec, call func(ctx context.Context, call Call) (Result, error)) Tool {
	return funcTool{spec.WithDefaults(), call}
}

type funcTool struct {
	spec Spec
	call func(context.Context, Call) (Result, error)
}

func (t funcTool) Spec() Spec { return t.spec }

func (t funcTool) Call(ctx context.Context, call Call) (Result, error) { return t.call(ctx, call) }

// Preparer is a tool with work to do before its first call that the call's
// deadline should not pay for, such as compiling. Prepare may be called more
// than once and by several goroutines; it ends soon after ctx does. A tool that
// is not prepared prepares itself when it is called.
type Preparer interface {
	Prepare(ctx context.Context) error
}
