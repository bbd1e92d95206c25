package drafts

import (
	"slices"
	"strings"

	"errand/app/answers"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// NewAction is an action of a plan that nothing is known of yet. Its preview is made from
// the arguments, not from what the proposer says.
func NewAction(a plan.Action) approval.Action {
	a.Preview, a.Reason = answers.SummarizeCall(a.Tool, a.Args), message.Message{}
	return approval.Action{Action: a}
}

// ActionsOf shows what a prepared plan would do: every action with its preview, decision
// and forecast, and with what an approval binds to.
func ActionsOf(p run.Prepared) []approval.Action {
	out := make([]approval.Action, 0, p.Plan.Len())
	for i, a := range p.Plan.Actions() {
		v := p.Verdicts[i]
		d := NewAction(a)
		d.ToolDigest, d.ArgsHash, d.Site = v.Spec.Fingerprint(), v.ArgsHash, v.Site
		d.ReadOnly, d.Reversible = v.Class() == tool.Read, v.Spec.Reversible && !v.Spec.MayDestroy
		d.Verdict, d.Reason, d.Flags = v.Decision.Verdict, v.Decision.Reason, v.Decision.Flags
		if f := v.Forecast; f != nil {
			d.Destroys, d.Count, d.Reversible, d.Note = f.Destroys, f.Count, f.Reversible, f.Note
		}
		d.Action = Forecast(d.Action, v)
		d.Destructive, d.Identity = v.Destructive(), v.Identity()
		for _, f := range v.Files {
			d.Files = append(d.Files, approval.File{Path: f.Path, RealPath: f.Real, Kind: string(f.Kind), Size: f.Size, SHA256: f.SHA256, Mark: f.Mark})
		}
		if d.Note.IsZero() && !showsValues(NewAction(a).Preview, a.Preview) { // the proposer's own preview is only a note
			d.Note = noteOf(a.Preview)
		}
		if v.Spec.Reversible && v.Spec.MayDestroy {
			d.Note = withScope(message.New("drafts.claims_undo"), d.Note)
		}
		if folders := v.Spec.Writable(); len(folders) > 0 && !d.ReadOnly {
			d.Note = withScope(message.New("drafts.may_change_anything", "folders", folders), d.Note)
		}
		out = append(out, d)
	}
	return out
}

// noteOf returns what the proposer of an action says about it, on one line.
func noteOf(preview message.Message) message.Message {
	if claim, ok := answers.ClaimIn(preview); ok {
		return claim
	}
	return preview.MapText(func(text string) string { return answers.FormatValue(strings.Join(strings.Fields(text), " ")) })
}

// errorsOf are the errors of actions that can't run, as their outcomes.
func errorsOf(verdicts []run.Verdict) map[string]Outcome {
	out := map[string]Outcome{}
	for _, v := range verdicts {
		if v.Error != nil {
			out[v.ActionID] = Outcome{ActionProposed, v.Error}
		}
	}
	return out
}

// withScope puts what a call may change before another note.
func withScope(scope, note message.Message) message.Message {
	if note.IsZero() {
		return scope
	}
	return message.New("drafts.scope_and_note", "scope", scope, "note", note)
}

// showsValues reports whether a summary has every value of a preview, so that the preview
// adds nothing to it. The summary of a tool without texts of its own has values but does
// not say what is done with them.
func showsValues(summary, preview message.Message) bool {
	if !strings.HasPrefix(summary.Code, "tool.") {
		return summary.Equal(preview)
	}
	if _, foreign := preview.Text(); foreign || len(preview.Params) == 0 {
		return summary.Equal(preview)
	}
	values := valuesOf(summary)
	return !slices.ContainsFunc(valuesOf(preview), func(v any) bool { return !slices.Contains(values, v) })
}

// valuesOf lists the texts and numbers in a message.
func valuesOf(m message.Message) []any {
	var out []any
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case message.Message:
			for _, p := range v.Params {
				add(p)
			}
		case []any:
			for _, p := range v {
				add(p)
			}
		default:
			out = append(out, v)
		}
	}
	add(m)
	return out
}

// CountRemaining is [CountToConfirm] for an approval that names no actions. An action that
// needs a confirmation of its own counts only if nothing else is left.
func CountRemaining(d approval.Draft) int {
	ids, err := d.SelectRemaining(nil)
	if err != nil {
		ids = d.Remaining()
	}
	return CountToConfirm(d.Actions, ids)
}

// CountToConfirm is how many things the remaining actions would change, where there
// are so many that the user has to confirm the number; else 0. A folder that goes to the
// trash whole counts once; of what can't be undone everything counts.
func CountToConfirm(actions []approval.Action, pending []string) int {
	count := 0
	for _, a := range actions {
		if !a.ReadOnly && slices.Contains(pending, a.ActionID) {
			if a.Reversible {
				count++
			} else {
				count += max(1, a.Count)
			}
		}
	}
	if count < plan.BulkFrom {
		return 0
	}
	return count
}
