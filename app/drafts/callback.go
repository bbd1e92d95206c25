package drafts

import (
	"context"

	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
)

// What a button does with its draft.
const (
	PressApply  = "apply"
	PressCancel = "cancel"
)

// WasPressed reports whether the press of a button moved the draft before, in this program or another:
// it does nothing again. Otherwise the next [Drafts.Swap] of the draft keeps the press with it. A key
// of another press is an error with code key_taken; without a key there was no press.
func (ds *Drafts) WasPressed(ctx context.Context, s store.Store, h *Draft, key, action string) (bool, error) {
	if key == "" {
		return false, nil
	}
	c, found, err := s.Callback(ctx, key)
	switch {
	case err != nil:
		return false, err
	case found && (c.DraftID != h.ID || c.Action != action):
		return false, tool.NewError(tool.ValidationError, store.CodeKeyTaken, message.New("store.callback_taken", "key", key))
	}
	h.Callback = store.Callback{Key: key, Action: action}
	return found, nil
}

// RepeatedAnswer is the error of an answer that leads back to its question. next is the draft with the
// answer.
func RepeatedAnswer(h, next Draft) *tool.Error {
	q := h.View().Questions[0]
	return tool.NewError(tool.ValidationError, "answer_repeats", message.New("runs.answer_repeats", "answer", next.Answers[q.ID], "question", q.Question)).
		WithHint(message.New("runs.answer_repeats_hint", "draft", h.ID))
}
