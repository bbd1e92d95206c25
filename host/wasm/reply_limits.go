package wasm

import (
	"encoding/json"

	"errand/host/wasm/limit"
	"errand/host/wasm/stack"
	"errand/planner/message"
)

// checkSize returns an error if an answer has too many facts, or too long ones, or a large
// undo: the record stores a row for each fact, and a later call repeats the undo.
func (r reply) checkSize() error {
	if err := limit.Facts.Check(len(r.Facts)); err != nil {
		return err
	}
	total := 0
	for _, fact := range r.Facts {
		if err := limit.Fact.Check(len(fact)); err != nil {
			return err
		}
		total += len(fact)
	}
	if err := limit.FactBytes.Check(total); err != nil || r.Undo == nil {
		return err
	}
	encoded, err := json.Marshal(r.Undo)
	if err != nil {
		return err
	}
	return limit.Undo.Check(len(encoded))
}

// clipTexts shortens the texts of a message that a plugin may have chosen.
func clipTexts(m message.Message) message.Message {
	return m.MapText(func(text string) string { return stack.Clip(text, stack.MaxText) })
}
