package core

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/app/secrets"
	"errand/host/run"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/plan"
)

// proposal is what a draft is about, beside the approval itself: what was said
// and what the person was shown. The store keeps it, without secrets.
type proposal struct {
	Words        string             `json:"words"`
	Voice        *plan.Voice        `json:"voice,omitempty"`
	Language     string             `json:"language"`
	PlanID       string             `json:"plan_id"`
	Part         string             `json:"part,omitempty"`
	Unmet        []string           `json:"unmet,omitempty"`
	Actions      []DraftAction      `json:"actions"`
	Risks        []plan.Risk        `json:"risks"`
	Undoes       string             `json:"undoes,omitempty"`
	TakesBack    map[string]string  `json:"takes_back,omitempty"` // action id → id of the step of Undoes
	Irreversible []IrreversibleStep `json:"irreversible,omitempty"`
	Withheld     bool               `json:"withheld,omitempty"`
	Demo         bool               `json:"demo,omitempty"`
	Recipe       string             `json:"recipe,omitempty"` // of which it is a run, and what that was given
	Params       map[string]string  `json:"params,omitempty"`
	Grants       []string           `json:"grants,omitempty"` // ids of those that it rests on
}

// held is a draft as it was read from the store, with its proposal and plan.
type held struct {
	store.Draft
	proposal proposal
	plan     plan.Plan // zero while questions are open, or withheld
}

// readHeld unpacks a stored draft.
func readHeld(d store.Draft) (held, error) {
	h := held{Draft: d}
	if err := d.Validate(); err != nil {
		return h, tool.Errorf(tool.ExecutionError, "draft_damaged", "%v", err)
	}
	if len(d.Shown) > 0 {
		if err := json.Unmarshal(d.Shown, &h.proposal); err != nil {
			return h, tool.Errorf(tool.ExecutionError, "draft_damaged", "read draft %s: %v", d.ID, err)
		}
	}
	if h.proposal.Withheld || len(d.Plan) == 0 || string(d.Plan) == "null" {
		return h, nil
	}
	if err := json.Unmarshal(d.Plan, &h.plan); err != nil || h.plan.Digest() != d.PlanDigest {
		h.proposal.Withheld, h.plan = true, plan.Plan{} // kept by an older version, which had no mark for it
	}
	return h, nil
}

// pack is the draft as the store keeps it. A plan that is another one without
// its secrets is marked: it can be looked at, and not carried out later.
func (a *App) pack(h held) (store.Draft, error) {
	d := h.Draft
	p := h.proposal
	clean := a.vault.CleanerOf(h.RunID)
	var err error
	d.Plan = nil
	if !h.plan.IsZero() {
		if d.Plan, err = clean.JSON(h.plan); err != nil {
			return d, fmt.Errorf("keep the draft: %w", err)
		}
		var again plan.Plan
		p.Withheld = json.Unmarshal(d.Plan, &again) != nil || again.Digest() != h.plan.Digest()
	} else if clean.Text(p.Words) != p.Words {
		p.Withheld = true
	}
	for id, value := range d.Answers {
		if clean.Text(value) != value {
			p.Withheld = true
			d.Answers = cleaned(clean, d.Answers)
			d.Answers[id] = clean.Text(value)
		}
	}
	if d.Shown, err = clean.JSON(p); err != nil {
		return d, fmt.Errorf("keep the draft: %w", err)
	}
	var questions []plan.Question
	if b, err := clean.JSON(d.Questions); err == nil && json.Unmarshal(b, &questions) == nil && questions != nil {
		d.Questions = questions
	}
	return d, nil
}

func cleaned(clean secrets.Cleaner, answers map[string]string) map[string]string {
	out := make(map[string]string, len(answers))
	for id, value := range answers {
		out[id] = clean.Text(value)
	}
	return out
}

// proposed shows what a plan would do: every action with its preview, verdict and
// forecast, all of it as of now.
func proposed(p plan.Plan, verdicts []run.Verdict) []DraftAction {
	language := p.Content().Language
	out := make([]DraftAction, 0, p.Len())
	for i, a := range p.Actions() {
		v := verdicts[i]
		d := DraftAction{
			ActionID: a.ActionID, Tool: a.Tool, Args: a.Args, Preview: answers.SummarizeCall(language, a.Tool, a.Args),
			RiskLevel: a.RiskLevel, ReadOnly: v.Class() == tool.Read, DependsOn: a.DependsOn, Status: ActionProposed, Error: v.Error,
			Verdict: v.Decision.Verdict, Reason: v.Decision.Reason, Flags: v.Decision.Flags, Reversible: v.Spec.Reversible,
		}
		if f := v.Forecast; f != nil {
			d.Destroys, d.Count, d.Reversible, d.Note, d.Identity = f.Destroys, f.Count, f.Reversible, f.Note, f.Identity
		}
		if said := answers.FormatValue(a.Preview); d.Note == "" && !strings.HasPrefix(d.Preview, said) { // what the proposer says of it is no more than a note
			d.Note = said
		}
		out = append(out, d)
	}
	return out
}

// revision names what the draft shows, however far it was carried out.
func (h held) revision() string {
	actions := slices.Clone(h.proposal.Actions)
	for i := range actions {
		actions[i].Status, actions[i].Error = "", nil
	}
	b, err := json.Marshal([]any{h.PlanDigest, h.PolicyDigest, h.Actions, actions, h.Answers})
	if err != nil { // it was read from JSON
		return "unhashable"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

// view is what a person looks at.
func (h held) view() DraftView {
	p := h.proposal
	v := DraftView{
		DraftID: h.ID, RunID: h.RunID, PlanID: p.PlanID, Goal: p.Words, Language: p.Language,
		State: h.State, Reason: h.Reason, CreatedAt: h.CreatedAt.UTC(), ExpiresAt: h.ExpiresAt.UTC(),
		PlanDigest: h.PlanDigest, Revision: h.revision(), Actions: slices.Clone(p.Actions), Questions: []plan.Question{}, Answers: h.Answers,
		Risks: p.Risks, Modules: h.Modules, Confirm: h.Confirm, Approval: h.Approval, Part: p.Part, Unmet: p.Unmet,
		Undoes: p.Undoes, Withheld: p.Withheld, Demo: p.Demo, Irreversible: p.Irreversible,
	}
	for _, q := range h.Questions {
		if _, answered := h.Answers[q.ID]; !answered {
			v.Questions = append(v.Questions, q)
		}
	}
	for i := range v.Actions {
		v.Actions[i].Identity = "" // nobody can read it
		switch a := &v.Actions[i]; {
		case slices.Contains(h.Done, a.ActionID):
			a.Status, a.Error = ActionDone, nil
		case slices.Contains(h.Rejected, a.ActionID):
			a.Status = ActionRejected
		}
	}
	if v.Actions == nil {
		v.Actions = []DraftAction{}
	}
	if v.Risks == nil {
		v.Risks = []plan.Risk{}
	}
	if v.Modules == nil {
		v.Modules = []plan.Module{}
	}
	return v
}

// toConfirm is how many things the actions that are left would change, where
// that are so many at once that a person confirms the number; else 0.
func toConfirm(actions []DraftAction, left []string) int {
	count := 0
	for _, a := range actions {
		if !a.ReadOnly && slices.Contains(left, a.ActionID) {
			count += max(1, a.Count)
		}
	}
	if count < plan.BulkFrom {
		return 0
	}
	return count
}
