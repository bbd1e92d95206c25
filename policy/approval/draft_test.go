package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner/message"
	"errand/planner/plan"
)

var t0 = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return t0.Add(time.Duration(n) * time.Minute) }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func action(id, tool string, needs ...string) Action {
	return Action{Action: plan.Action{ActionID: id, Tool: tool, DependsOn: needs}, ToolDigest: hash(tool), ArgsHash: hash("args of " + id)}
}

// terms are a project (a1), a channel in it (a2), a post to that (a3), and a
// note that needs none of them (a4).
func terms() Terms {
	return Terms{
		PlanDigest: hash("plan"), PolicyDigest: hash("policy"),
		Actions: []Action{
			action("a1", "create_project"), action("a2", "create_channel", "a1"),
			action("a3", "post", "a2"), action("a4", "create_doc"),
		},
		Modules: []plan.Module{
			{ID: "m1", Name: "project", Actions: []string{"a1"}},
			{ID: "m2", Name: "channel", Actions: []string{"a2", "a3"}},
			{ID: "m3", Name: "note", Actions: []string{"a4"}},
		},
	}
}

var platform = plan.Question{
	ID: "platform", Question: message.Verbatim("Where shall I search?"),
	Choices: []plan.Choice{{Label: message.Verbatim("YouTube"), Value: "youtube"}, {Label: message.Verbatim("Google"), Value: "google"}},
}

var name = plan.Question{ID: "name", Question: message.Verbatim("What is it called?"), FreeTextAllowed: true}

// succeed fails the test where a step that ought to work does not.
func succeed(t testing.TB) func(Draft, error) Draft {
	return func(d Draft, err error) Draft {
		t.Helper()
		must.Succeed(t, err)
		return d
	}
}

func draft(t testing.TB) Draft {
	t.Helper()
	return succeed(t)(Propose("d1", terms(), t0))
}

func asking(t testing.TB, questions ...plan.Question) Draft {
	t.Helper()
	return succeed(t)(Propose("d1", Terms{Questions: questions}, t0))
}

func yes(n int, ids ...string) Answer {
	return Answer{By: "ann", At: minute(n), PlanDigest: hash("plan"), Actions: ids}
}

func approved(t testing.TB, ids ...string) Draft {
	t.Helper()
	return succeed(t)(draft(t).Approve(yes(1, ids...)))
}

func applying(t testing.TB, ids ...string) Draft {
	t.Helper()
	return succeed(t)(approved(t, ids...).Begin(minute(2)))
}

func call(id string) Call {
	a, _ := find(terms().Actions, id)
	return Call{PlanDigest: hash("plan"), PolicyDigest: hash("policy"), ActionID: id, Tool: a.Tool, ToolDigest: a.ToolDigest, ArgsHash: a.ArgsHash, Destructive: a.Destructive}
}

// code is the code of a refusal, or what else an error is.
func code(err error) string {
	var refused *RefusedError
	var step *StepError
	var confirm *ConfirmError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return string(refused.Code)
	case errors.As(err, &step):
		return "step"
	case errors.As(err, &confirm):
		return "confirm"
	case errors.Is(err, ErrExpired):
		return "expired"
	}
	return "error"
}

func TestProposeRefuses(t *testing.T) {
	tests := []struct {
		name   string
		id     string
		change func(*Terms)
	}{
		{"no id", "", func(*Terms) {}},
		{"no plan", "d", func(t *Terms) { t.PlanDigest = "" }},
		{"a plan that is no digest", "d", func(t *Terms) { t.PlanDigest = "plan" }},
		{"no policy", "d", func(t *Terms) { t.PolicyDigest = "" }},
		{"no actions", "d", func(t *Terms) { t.Actions, t.Modules = nil, nil }},
		{"a plan of questions alone", "d", func(t *Terms) { t.Actions, t.Modules, t.Questions = nil, nil, []plan.Question{name} }},
		{"action without id", "d", func(t *Terms) { t.Actions[3].ActionID = "" }},
		{"action without tool", "d", func(t *Terms) { t.Actions[0].Tool = "" }},
		{"an id twice", "d", func(t *Terms) { t.Actions[3].ActionID = "a1" }},
		{"arguments that have no hash", "d", func(t *Terms) { t.Actions[0].ArgsHash = "unhashable" }},
		{"hash in capitals", "d", func(t *Terms) { t.Actions[0].ArgsHash = "A" + hash("")[1:] }},
		{"a tool without digest", "d", func(t *Terms) { t.Actions[0].ToolDigest = "" }},
		{"a parent that does not exist", "d", func(t *Terms) { t.Actions[0].DependsOn = []string{"a9"} }},
		{"its own parent", "d", func(t *Terms) { t.Actions[0].DependsOn = []string{"a1"} }},
		{"a module of nothing", "d", func(t *Terms) { t.Modules[0].Actions = []string{"a9"} }},
		{"a question without id", "d", func(t *Terms) { t.Questions = []plan.Question{{FreeTextAllowed: true}} }},
		{"a question twice", "d", func(t *Terms) { t.Questions = []plan.Question{name, name} }},
		{"a question without an answer", "d", func(t *Terms) { t.Questions = []plan.Question{{ID: "q"}} }},
		{"a count below zero", "d", func(t *Terms) { t.Confirm = -1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms := terms()
			tt.change(&terms)
			if d, err := Propose(tt.id, terms, t0); err == nil {
				t.Errorf("proposed %+v", d)
			}
		})
	}
}

// TestDraftIsAValue checks that approving a copy of a Draft does not change the original.
func TestDraftIsAValue(t *testing.T) {
	terms := terms()
	d := succeed(t)(Propose("d1", terms, t0))
	terms.Actions[1].DependsOn[0], terms.Modules[0].Actions[0] = "a4", "a4"
	if diff := cmp.Diff(draft(t), d); diff != "" {
		t.Errorf("a change of the terms reached the draft (-want +got):\n%s", diff)
	}
	yes := succeed(t)(d.Approve(yes(1)))
	d.Actions[0].ArgsHash, d.Actions[1].DependsOn[0] = hash("changed"), "a4"
	if d.State != StateDraft || d.Approval != nil {
		t.Errorf("the draft itself was approved: %+v", d)
	}
	if diff := cmp.Diff(approved(t).Approval, yes.Approval); diff != "" {
		t.Errorf("a change of the draft reached the approval (-want +got):\n%s", diff)
	}

	one := succeed(t)(asking(t, platform, name).Answer("platform", "google", t0))
	two := succeed(t)(one.Answer("name", "x", t0))
	if len(one.Answers) != 1 || len(two.Answers) != 2 {
		t.Errorf("answers %v and then %v", one.Answers, two.Answers)
	}
	first := succeed(t)(draft(t).Reject("ann", t0, "a1"))
	left, right := succeed(t)(first.Reject("ann", t0, "a2")), succeed(t)(first.Reject("ann", t0, "a3"))
	if diff := cmp.Diff([][]string{{"a1"}, {"a1", "a2"}, {"a1", "a3"}}, [][]string{first.Rejected, left.Rejected, right.Rejected}); diff != "" {
		t.Errorf("rejected (-want +got):\n%s", diff)
	}
}

func TestJSON(t *testing.T) {
	part := succeed(t)(applying(t, "a1").FinishApply([]string{"a1"}, message.Message{}, minute(3)))
	question := terms()
	question.Questions = []plan.Question{platform}
	for name, want := range map[string]Draft{
		"proposed": draft(t), "approved": approved(t, "a1", "a4"), "in part": part,
		"rejected": succeed(t)(part.Reject("ann", minute(4), "a3")),
		"answered": succeed(t)(asking(t, platform, name).Answer("name", "x", t0)),
		"ended":    succeed(t)(approved(t).Cancel(message.Verbatim("no"))), "revised": succeed(t)(draft(t).Revise(question, t0)),
	} {
		t.Run(name, func(t *testing.T) {
			b := must.JSON(t, want)
			var got Draft
			must.Succeed(t, json.Unmarshal(b, &got))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after a round trip (-want +got):\n%s", diff)
			}
			if err := got.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestValidateRefuses(t *testing.T) {
	tests := []struct {
		name   string
		from   Draft
		change func(*Draft)
	}{
		{"nothing", Draft{}, func(*Draft) {}},
		{"unknown state", draft(t), func(d *Draft) { d.State = "DONE" }},
		{"no id", draft(t), func(d *Draft) { d.ID = "" }},
		{"ready for nobody", draft(t), func(d *Draft) { d.State = StateReady }},
		{"applying for nobody", draft(t), func(d *Draft) { d.State = StateApplying }},
		{"done for nobody", draft(t), func(d *Draft) { d.State = StateApplied }},
		{"a draft with an approval", approved(t), func(d *Draft) { d.State = StateDraft }},
		{"another plan's approval", approved(t), func(d *Draft) { d.Approval.PlanDigest = hash("other") }},
		{"another policy's approval", approved(t), func(d *Draft) { d.Approval.PolicyDigest = hash("other") }},
		{"another count's approval", approved(t), func(d *Draft) { d.Confirm = 5 }},
		{"an approval of nothing", approved(t), func(d *Draft) { d.Approval.Actions = nil }},
		{"nobody's approval", approved(t), func(d *Draft) { d.Approval.By = "" }},
		{"a confirmation of what is not approved", approved(t, "a1"), func(d *Draft) { d.Approval.Confirmed = []string{"a4"} }},
		{"a confirmation of what needs none", approved(t), func(d *Draft) { d.Approval.Confirmed = []string{"a1"} }},
		{"an approval that ends before it begins", approved(t), func(d *Draft) { d.Approval.Until = d.Approval.At }},
		{"an approval of something else", approved(t), func(d *Draft) { d.Approval.Actions[0].ArgsHash = hash("other") }},
		{"an approval of one action twice", approved(t), func(d *Draft) { d.Approval.Actions[1] = d.Approval.Actions[0] }},
		{"an approval of what was rejected", approved(t), func(d *Draft) { d.Rejected = []string{"a4"} }},
		{"an approval without a parent", approved(t), func(d *Draft) { d.Approval.Actions = d.Approval.Actions[1:] }},
		{"ready without digests", approved(t), func(d *Draft) { d.PlanDigest, d.Approval.PlanDigest = "", "" }},
		{"ready with open questions", approved(t), func(d *Draft) { d.Questions = []plan.Question{name} }},
		{"a draft without a plan", asking(t, name), func(d *Draft) { d.State = StateDraft }},
		{"a draft with an unread answer", draft(t), func(d *Draft) { d.Stale = true }},
		{"done what does not exist", draft(t), func(d *Draft) { d.Done = []string{"a9"} }},
		{"done what was rejected", draft(t), func(d *Draft) { d.Done, d.Rejected = []string{"a1"}, []string{"a1"} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.from
			if d.Approval != nil {
				a := *d.Approval
				a.Actions = slices.Clone(a.Actions)
				d.Approval = &a
			}
			tt.change(&d)
			if err := d.Validate(); err == nil {
				t.Errorf("taken for a draft: %+v", d)
			}
		})
	}
}
