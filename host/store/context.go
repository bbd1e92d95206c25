package store

import (
	"context"
	"encoding/json"
	"time"

	"errand/host/trace"
)

// Contexts keeps what follow-ups mean: what the earlier goals of a conversation were about. A
// conversation is that of one face, such as "cli".
type Contexts interface {
	// ContextParts lists what a conversation was about, in the order of the parts' names.
	ContextParts(ctx context.Context, conversation string) ([]ContextPart, error)
	// EndInContext ends a run as [trace.Log.End] does, and keeps what it was about, both or
	// neither. A part replaces an earlier one of its name. It leaves a later one.
	EndInContext(ctx context.Context, run trace.Run, conversation string, parts []ContextPart) error
	// ClearContext forgets what a conversation was about. [Retention] does so with what it removes
	// the runs of.
	ClearContext(ctx context.Context, conversation string) error
}

// ContextPart is one part of a conversation's context.
type ContextPart struct {
	Name  string          // "page", "files", …
	RunID string          // the run that was about it
	At    time.Time       // when that run ended
	Body  json.RawMessage // without secrets
}
