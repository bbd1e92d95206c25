package desktop

import (
	"context"

	"errand/app/core"
	"errand/host/trace"
)

// Engine is what the window uses of the program. *core.App is the one that
// ships; it may be called by several goroutines at once.
type Engine interface {
	// Interpret reads words by rules; microseconds, opens nothing.
	Interpret(text string) core.Interpretation
	// Plan plans as if nothing held yet; milliseconds, carries nothing out.
	Plan(ctx context.Context, r core.PlanRequest) (core.Planned, error)
	// Run plans against the world as it is and, unless it is a dry run, acts.
	Run(ctx context.Context, r core.RunRequest) (core.Report, error)
	Runs(ctx context.Context, limit int) ([]trace.Run, error)
	Record(ctx context.Context, id string) (trace.Record, error)
	Close() error
}

var _ Engine = (*core.App)(nil)

// Face is the side of the window that the API acts on. Its methods return at
// once, may be called by several goroutines, and never call the API back.
type Face interface {
	Emit(event string, data any) // to the page; lost where no page listens
	Quit()                       // as if the person had closed the window
}
