package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"errand/planner/message"
)

// Call is one request to a tool, after the dispatcher has checked it.
type Call struct {
	RunID    string
	ActionID string // of the action that the call executes, such as "a1"
	Tool     string
	Args     map[string]any
	Origin   string // the origin of the plan that asked for the call

	// Key identifies the effect of the call. Two calls with the same key have one effect.
	// The ledger stores the key, and a tool passes it on if its service supports
	// idempotency keys. Key is empty for reads.
	Key string

	// Secret reports that Args contains secrets that were inserted for this call. The
	// result must not reveal them.
	Secret bool

	// Several reports that the goal of the call changes two or more existing things.
	Several bool

	// Claimed is when the earlier call began whose outcome [Reconciler.Reconcile] returns. It is
	// zero in other calls.
	Claimed time.Time

	// Effect is the strongest effect that the call of a [Classifier] may have, as policy
	// evaluated it. It is empty for other tools.
	Effect Effect

	// Site is the scheme and host of the page that the call may act on, such as
	// "https://shop.example": the plan opens it, and the user approved the call for it. See
	// package policy/website. The call fails if its page is elsewhere. Site is empty for calls
	// that may act on any page.
	Site string

	// Places are where the paths in Args lead, as policy decided about them. A tool opens
	// exactly these, and fails if a link has taken the place of a folder since. Places is
	// empty if nothing decided about the call.
	Places []Place

	// Files are the states of the paths in Args that the user approved. They held right
	// before the call. A tool that reads or deletes a file compares what it gets with its
	// state. Files is empty if the call needed no approval.
	Files []FileState
}

// HashArgs returns the SHA-256, in hex, of args as JSON with sorted keys. Approvals and
// recorded steps refer to arguments by this hash.
func HashArgs(args map[string]any) string {
	if args == nil {
		args = map[string]any{}
	}
	b, err := json.Marshal(args) // Marshal sorts map keys
	if err != nil {
		// Arguments come from JSON. Arguments that can't be marshalled must match nothing.
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Tool is implemented by everything that Errand can call.
//
// Call executes one checked call and returns soon after ctx is done. A failure of the
// operation is a [Result] whose OK is false. A Go error means that the tool could not be
// reached at all. Call is safe for concurrent use.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, call Call) (Result, error)
}

// Func returns a Tool that has the given spec and calls the given function.
func Func(spec Spec, call func(ctx context.Context, call Call) (Result, error)) Tool {
	return funcTool{spec.WithDefaults(), call}
}

type funcTool struct {
	spec Spec
	call func(context.Context, Call) (Result, error)
}

func (t funcTool) Spec() Spec { return t.spec }

func (t funcTool) Call(ctx context.Context, call Call) (Result, error) { return t.call(ctx, call) }

// Classifier is a tool whose calls may have a weaker or stronger effect than its spec
// declares. The effect of a click, for example, depends on the element. The effect in the
// spec applies if nothing else is known.
type Classifier interface {
	// DeclaredEffect returns the effect of a call judged by its arguments alone. Policy uses it
	// until Classify can inspect the target, for example while a page is not open yet.
	DeclaredEffect(call Call) Effect
	// Classify inspects the current state and returns the effect that the call would have.
	// It changes nothing. The dispatcher calls it right before the call, and before it
	// asks the user for approval. An error says why the call can't be made; a *Error keeps
	// its type.
	//
	// The effect of Call must not exceed call.Effect, whatever it finds.
	Classify(ctx context.Context, call Call) (Effect, error)
}

// Forecaster is a tool that can predict what a call would do, before the user is asked to
// approve it. Forecast changes nothing and doesn't use the network. Before it calls another
// tool, it asks [PermitPreview].
type Forecaster interface {
	Forecast(ctx context.Context, call Call) (Forecast, error)
}

// Forecast is what a call would do.
type Forecast struct {
	// Destroys lists the things that the call would delete or overwrite, at most
	// [MaxDestroys] of them.
	Destroys []string `json:"destroys,omitempty"`
	// Count is the number of things that the call changes, including those that Destroys
	// leaves out. 0 means one.
	Count int `json:"count,omitempty"`
	// Reversible reports whether the result will contain an [Inverse].
	Reversible bool `json:"reversible"`
	// Adds reports that the call loses nothing: it adds what is not there now.
	Adds bool `json:"-"`
	// Note is one more line for the user, for example where deleted files go.
	Note message.Message `json:"note,omitzero"`
	// Problem says why the call would fail or change nothing now. It is nil if there is none.
	// An earlier call may solve it.
	Problem *Error `json:"-"`
	// Unsolvable reports that no earlier call solves the problem.
	Unsolvable bool `json:"-"`
	// Identity is an opaque fingerprint of the things that would be destroyed, in their
	// current state. Two forecasts with the same identity mean the same things.
	Identity string `json:"-"`
	// Destination is the folder, with links resolved, that the call moves things to: the
	// trash. It is empty if the call moves nothing.
	Destination string `json:"-"`
}

// MaxDestroys is the maximum number of names in [Forecast.Destroys].
const MaxDestroys = 50

// Reconciler is a tool that can find out whether an interrupted call had its effect. It
// only looks and changes nothing.
type Reconciler interface {
	Reconcile(ctx context.Context, call Call) (Reconciled, error)
}

// Reconciled is the finding of a [Reconciler].
type Reconciled struct {
	Effect EffectState // Committed: the call had its effect; Released: it had none; Unknown: the tool can't tell
	Result Result      // the result of the call, if Effect is Committed
}

// Pinner is a tool whose calls can be undone. Pin receives the arguments of an [Inverse]
// right after the original call. It completes them so that they apply only to the object
// that exists now, not to a later one with the same name. Pin has no side effects and
// doesn't modify args. If it fails, args remain in use.
type Pinner interface {
	Pin(ctx context.Context, args map[string]any) (map[string]any, error)
}

// EffectState says whether a call had its effect.
type EffectState string

// States of an effect in the ledger.
const (
	Pending   EffectState = "PENDING"   // the call is about to be made or is running
	Committed EffectState = "COMMITTED" // the call had its effect
	Unknown   EffectState = "UNKNOWN"   // the call was made, but its outcome is not known
	Released  EffectState = "RELEASED"  // the call had no effect and may be made again
)

// Preparer is a tool that needs work before its first call, such as compiling, which
// should not count against the call's deadline. Prepare may be called more than once and
// is safe for concurrent use. It returns soon after ctx is done. A tool that was not
// prepared prepares itself when it is called.
type Preparer interface {
	Prepare(ctx context.Context) error
}
