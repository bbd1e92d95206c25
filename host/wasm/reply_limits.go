package wasm

import (
	"encoding/json"

	"errand/planner/message"
)

// Limits of the parts of an answer that the record stores a row for, or that a later call
// repeats. The output limit of the plugin bounds the payload.
const (
	maxFacts      = 1000
	maxFactBytes  = 8 << 10   // more than a path can have
	maxFactsBytes = 256 << 10 // of all facts together
	maxUndoBytes  = 64 << 10  // of the undo's JSON
)

// checkSize returns an error if an answer has too many facts, or too long ones, or a large
// undo.
func (r reply) checkSize() error {
	if len(r.Facts) > maxFacts {
		return message.Error("plugin.too_many_facts", "count", len(r.Facts), "limit", maxFacts)
	}
	total := 0
	for _, fact := range r.Facts {
		if len(fact) > maxFactBytes {
			return message.Error("plugin.long_fact", "size", len(fact), "limit", maxFactBytes)
		}
		total += len(fact)
	}
	if total > maxFactsBytes {
		return message.Error("plugin.long_facts", "size", total, "limit", maxFactsBytes)
	}
	if r.Undo == nil {
		return nil
	}
	if encoded, err := json.Marshal(r.Undo); err != nil || len(encoded) > maxUndoBytes {
		return message.Error("plugin.large_undo", "size", len(encoded), "limit", maxUndoBytes)
	}
	return nil
}
