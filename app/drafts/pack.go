package drafts

import (
	"encoding/json"

	"errand/app/secrets"
	"errand/host/store"
	"errand/planner/message"
	"errand/planner/plan"
)

// pack is the draft as the store keeps it: without secrets. A plan that changes by
// that is marked as withheld: it can be shown, and not applied later.
func (ds *Drafts) pack(h Draft) (store.Draft, error) {
	d := h.Draft
	p := h.Proposal
	clean := ds.vault.CleanerOf(h.RunID)
	var err error
	d.Plan, d.Reason = nil, d.Reason.MapText(clean.Text)
	if !h.Plan.IsZero() {
		if d.Plan, err = clean.JSON(h.Plan); err != nil {
			return d, message.Error("drafts.keep_draft", "cause", err)
		}
		var stored plan.Plan
		p.Withheld = json.Unmarshal(d.Plan, &stored) != nil || stored.Digest() != h.Plan.Digest()
	} else if clean.Text(p.Words) != p.Words {
		p.Withheld = true
	}
	for id, value := range d.Answers {
		if clean.Text(value) != value {
			p.Withheld = true
			d.Answers = cleanAnswers(clean, d.Answers)
			d.Answers[id] = clean.Text(value)
		}
	}
	if d.Shown, err = clean.JSON(p); err != nil {
		return d, message.Error("drafts.keep_draft", "cause", err)
	}
	var questions []plan.Question
	if b, err := clean.JSON(d.Questions); err == nil && json.Unmarshal(b, &questions) == nil && questions != nil {
		d.Questions = questions
	}
	return d, nil
}

func cleanAnswers(clean secrets.Cleaner, answers map[string]string) map[string]string {
	out := make(map[string]string, len(answers))
	for id, value := range answers {
		out[id] = clean.Text(value)
	}
	return out
}
