package drafts

import (
	"cmp"
	"encoding/json"
	"slices"

	"errand/app/secrets"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// Proposal is what a draft is about, beside the approval itself: what was said
// and what the user was shown. The store keeps it, without secrets.
type Proposal struct {
	Words        string             `json:"words"`
	Voice        *plan.Voice        `json:"voice,omitempty"`
	Language     string             `json:"language"`
	PlanID       string             `json:"plan_id"`
	Part         message.Message    `json:"part,omitzero"`
	Unmet        []string           `json:"unmet,omitempty"`
	Outcomes     map[string]Outcome `json:"outcomes,omitempty"` // by action id; none: it is proposed
	Risks        []plan.Risk        `json:"risks"`
	Undoes       string             `json:"undoes,omitempty"`
	TakesBack    map[string]string  `json:"takes_back,omitempty"` // action id → id of the step of Undoes
	Irreversible []IrreversibleStep `json:"irreversible,omitempty"`
	Withheld     bool               `json:"withheld,omitempty"`
	Demo         bool               `json:"demo,omitempty"`
	Recipe       string             `json:"recipe,omitempty"` // of which it is a run, and what that was given
	Params       map[string]string  `json:"params,omitempty"`
	Grants       []string           `json:"grants,omitempty"`  // ids of those that it rests on
	Follows      []string           `json:"follows,omitempty"` // runs whose readings count as its own
	Earlier      []Snapshot         `json:"earlier,omitempty"` // revisions that an edit or a new evaluation replaced, oldest first
}

// Draft is a stored draft with its proposal and plan. Its actions are as the user is
// shown them; the store has them without secrets.
type Draft struct {
	store.Draft
	Proposal Proposal
	Plan     plan.Plan // zero while questions are open, or withheld

	packed packed // as it was stored last by this program
	key    secrets.Key
}

// Unpack reads a stored draft.
func (ds *Drafts) Unpack(d store.Draft) (Draft, error) {
	h := Draft{Draft: d, packed: packed{stored: d}, key: ds.vault.Key}
	if err := d.Validate(); err != nil {
		return h, tool.NewError(tool.ExecutionError, "draft_damaged", message.FromError(err))
	}
	if len(d.Shown) > 0 {
		if err := json.Unmarshal(d.Shown, &h.Proposal); err != nil {
			return h, tool.NewError(tool.ExecutionError, "draft_damaged", message.New("drafts.draft_damaged", "draft", d.ID, "cause", err))
		}
	}
	if h.Proposal.Withheld || len(d.Plan) == 0 || string(d.Plan) == "null" {
		return h, nil
	}
	err := json.Unmarshal(d.Plan, &h.Plan)
	if err == nil && d.PlanDigest == h.Plan.Digest() {
		h.seal()
	}
	if err != nil || h.PlanDigest != h.key.Seal(h.Plan.Digest()) {
		h.Proposal.Withheld, h.Plan = true, plan.Plan{} // an older version wrote it without the mark
	}
	return h, nil
}

// seal replaces the hashes of an earlier version, which were not sealed. An action whose
// hash is not that of its arguments keeps it: what it does is shown again then.
func (h *Draft) seal() {
	sealed := map[string]string{}
	h.PlanDigest, h.Actions = h.key.Seal(h.PlanDigest), slices.Clone(h.Actions)
	for i, a := range h.Actions {
		if a.ArgsHash == tool.HashArgs(a.Args) {
			sealed[a.ArgsHash] = h.key.Seal(a.ArgsHash)
			h.Actions[i].ArgsHash = sealed[a.ArgsHash]
		}
	}
	if h.Approval == nil {
		return
	}
	approved := *h.Approval
	approved.PlanDigest, approved.Actions = h.key.Seal(approved.PlanDigest), slices.Clone(approved.Actions)
	for i, b := range approved.Actions {
		approved.Actions[i].ArgsHash = cmp.Or(sealed[b.ArgsHash], b.ArgsHash)
	}
	h.Approval = &approved
}

// Describe fills in what an evaluation says of the plan.
func (p *Proposal) Describe(e Evaluation) {
	p.Outcomes, p.Risks, p.Grants = errorsOf(e.Verdicts), ForecastRisks(e.Plan.Content().Risks, e.Plan.Actions(), e.Verdicts), e.Grants
}

// keep is the draft after it was stored as d. In memory the actions keep their secrets.
func (h Draft) keep(d store.Draft) Draft {
	shown := h.Actions
	h.Draft, h.packed.stored = d, d
	h.Actions = shown
	return h
}

func (h Draft) ownDigest() string {
	if h.Plan.IsZero() {
		return ""
	}
	return h.Plan.Digest()
}

// View is the draft as faces show it.
func (h Draft) View() View {
	p := h.Proposal
	v := View{
		DraftID: h.ID, RunID: h.RunID, PlanID: p.PlanID, Goal: p.Words, Language: p.Language,
		State: h.State, Reason: h.Reason, CreatedAt: h.CreatedAt.UTC(), ExpiresAt: h.ExpiresAt.UTC(),
		PlanDigest: h.PlanDigest, OwnDigest: h.ownDigest(), Revision: h.Revision(), Actions: make([]Action, len(h.Actions)), Questions: []plan.Question{}, Answers: h.Answers,
		Risks: p.Risks, Modules: h.Modules, Confirm: h.Confirm, Destructive: h.Unconfirmed(h.Remaining(), h.Approval.ConfirmedIDs()), Approval: h.Approval, Part: p.Part, Unmet: p.Unmet,
		Undoes: p.Undoes, Withheld: p.Withheld || h.packed.lacks, Demo: p.Demo, Irreversible: p.Irreversible,
	}
	for _, s := range p.Earlier {
		v.EarlierRevisions = append(v.EarlierRevisions, s.Revision)
	}
	for _, q := range h.Questions {
		if _, answered := h.Answers[q.ID]; !answered {
			v.Questions = append(v.Questions, q)
		}
	}
	for i, a := range h.Actions {
		outcome := p.Outcomes[a.ActionID]
		switch {
		case slices.Contains(h.Done, a.ActionID):
			outcome = Outcome{Status: ActionDone}
		case slices.Contains(h.Rejected, a.ActionID):
			outcome.Status = ActionRejected
		case outcome.Status == "":
			outcome.Status = ActionProposed
		}
		a.Identity = "" // not readable
		a.Files = slices.Clone(a.Files)
		for i := range a.Files {
			a.Files[i].Mark = ""
		}
		v.Actions[i] = Action{a, outcome}
	}
	if v.Risks == nil {
		v.Risks = []plan.Risk{}
	}
	if v.Modules == nil {
		v.Modules = []plan.Module{}
	}
	return v
}
