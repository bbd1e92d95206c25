package event

import "context"

// Journal stores events in order. Its methods are safe for concurrent use. Errors
// are *tool.Error.
//
// Sequence numbers ascend in reading order: after an event can be read, none with
// a lower number is added. There may be gaps.
type Journal interface {
	// Publish stores a valid event and sets its Seq. Once it has returned without
	// an error, the event survives a crash.
	Publish(ctx context.Context, e Event) (Event, error)
	// EventsSince returns the events after seq that prefix selects, the oldest first.
	// limit is the maximum number of events; 0 means all. An event is selected if
	// one of its resources is.
	EventsSince(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error)
	// LastSeq returns the sequence number of the newest event, or 0 if there is none.
	LastSeq(ctx context.Context) (int64, error)
}
