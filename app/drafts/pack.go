package drafts

import (
	"bytes"
	"encoding/json"

	"errand/app/secrets"
	"errand/host/store"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// packed is the cleaned plan and proposal of a stored draft, with what they were made
// of. While that stays the same they are not cleaned again.
type packed struct {
	clean          secrets.Cleaner
	digest         string // of the plan
	plan           json.RawMessage
	withheld       bool
	lacks          bool // a secret, without which it can't be continued
	proposal       []byte
	withoutSecrets json.RawMessage
	actions        []approval.Action
	stored         store.Draft
}

// pack is the draft as the store keeps it: without secrets. A plan that changes by
// that is marked as withheld: it can be shown, and not applied later.
func (ds *Drafts) pack(h *Draft) (store.Draft, error) {
	d := h.Draft
	p := h.Proposal
	clean := ds.vault.CleanerOf(h.RunID)
	next := h.packed
	if !next.clean.Equal(clean) {
		next = packed{clean: clean, stored: next.stored}
	}
	var err error
	d.Plan, d.Reason = nil, d.Reason.MapText(clean.Text)
	if !h.Plan.IsZero() {
		if digest := h.Plan.Digest(); next.digest != digest {
			next.digest = digest
			if next.plan, err = clean.JSON(h.Plan); err != nil {
				return d, message.Error("drafts.keep_draft", "cause", err)
			}
			var stored plan.Plan
			next.withheld = json.Unmarshal(next.plan, &stored) != nil || stored.Digest() != digest
		}
		d.Plan, p.Withheld = next.plan, next.withheld
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
	next.lacks = p.Withheld
	proposal, err := json.Marshal([]any{p, d.Actions})
	if err == nil && !bytes.Equal(proposal, next.proposal) {
		next.proposal, next.actions = proposal, nil
		next.withoutSecrets, err = clean.JSON(p)
		if err == nil {
			err = cleanInto(clean, d.Actions, &next.actions)
		}
	}
	if err != nil {
		return d, message.Error("drafts.keep_draft", "cause", err)
	}
	d.Shown, d.Actions, h.packed = next.withoutSecrets, next.actions, next
	var questions []plan.Question
	if len(d.Questions) == 0 {
		return d, nil
	}
	if b, err := clean.JSON(d.Questions); err == nil && json.Unmarshal(b, &questions) == nil && questions != nil {
		d.Questions = questions
	}
	return d, nil
}

// cleanInto sets out to v without secrets.
func cleanInto[T any](clean secrets.Cleaner, v T, out *T) error {
	b, err := clean.JSON(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, out)
}

func cleanAnswers(clean secrets.Cleaner, answers map[string]string) map[string]string {
	out := make(map[string]string, len(answers))
	for id, value := range answers {
		out[id] = clean.Text(value)
	}
	return out
}
