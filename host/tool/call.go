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

	// Key names the effect of a call that has one: two calls of one key are one
	// effect. The ledger keeps it; a tool that can passes it on. Empty for reads.
	Key string

	// Secret says that there are secrets among Args, which were put there for this
	// call: the result does not tell what became of them.
	Secret bool

	// Effect is the most that the call of a [Classifier] may come to: what it was
	// judged as. Empty for other tools.
	Effect Effect
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

// Classifier is a tool of which one call may be less, or more, than its spec
// says: what a click comes to depends on what is clicked. The spec's own effect
// is the one without any knowledge.
type Classifier interface {
	// Declared is the effect of a call by its arguments alone. What it is judged as
	// while nothing is known of what it will meet, such as a page that is not open
	// yet.
	Declared(call Call) Effect
	// Classify looks at what is there now and says what the call would come to. It
	// changes nothing. It is asked when the call's turn has come, and before a
	// person is. An error is why the call can't be made: a *Error keeps its type.
	//
	// Call must not come to more than call.Effect, whatever it meets.
	Classify(ctx context.Context, call Call) (Effect, error)
}

// Forecaster is a tool that can say what a call would do before anybody is
// asked about it. Forecast changes nothing and touches no network.
type Forecaster interface {
	Forecast(ctx context.Context, call Call) (Forecast, error)
}

// Forecast is what a call would do.
type Forecast struct {
	// Destroys names exactly what would be gone or overwritten, the first
	// [MaxDestroys] of them.
	Destroys []string `json:"destroys,omitempty"`
	// Count is how many things the call changes, those beyond the list included.
	// 0: one, as every call.
	Count int `json:"count,omitempty"`
	// Reversible says whether the result will say how to take the call back.
	Reversible bool `json:"reversible"`
	// Note is one line more, such as where what is deleted goes.
	Note string `json:"note,omitempty"`
	// Identity says which very things would be gone, as they are now. It is
	// opaque: two forecasts with one identity are about the same things.
	Identity string `json:"identity,omitempty"`
}

// MaxDestroys bounds the names in a [Forecast].
const MaxDestroys = 50

// Reconciler is a tool that can find out what came of a call whose end nobody
// saw, by looking and without doing anything.
type Reconciler interface {
	Reconcile(ctx context.Context, call Call) (Reconciled, error)
}

// Reconciled is what a [Reconciler] found.
type Reconciled struct {
	Effect EffectState // Committed: the effect is there; Released: it is not; Unknown: it can't tell
	Result Result      // of the call, where Effect is Committed
}

// Pinner is a tool that calls can be taken back with. Pin is given the arguments
// of an [Inverse] right after the call that it takes back, and completes them so
// that they hold for the very thing that is there now and for no later one of
// its name. It changes nothing, neither args. An error leaves them as they are.
type Pinner interface {
	Pin(ctx context.Context, args map[string]any) (map[string]any, error)
}

// EffectState is what is known of the effect of one call.
type EffectState string

// States of an effect in the ledger.
const (
	Pending   EffectState = "PENDING"   // the call is about to be made, or under way
	Committed EffectState = "COMMITTED" // it had its effect
	Unknown   EffectState = "UNKNOWN"   // it was made and nobody saw what came of it
	Released  EffectState = "RELEASED"  // it had no effect: it may be made again
)

// Preparer is a tool with work to do before its first call that the call's
// deadline should not pay for, such as compiling. Prepare may be called more
// than once and by several goroutines; it ends soon after ctx does. A tool that
// is not prepared prepares itself when it is called.
type Preparer interface {
	Prepare(ctx context.Context) error
}

// EffectScope names the effect of a call within its run.
func EffectScope(name string, args map[string]any) string { return name + ":" + HashArgs(args)[:16] }
