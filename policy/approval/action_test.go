package approval

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestActionJSON checks that an action is one flat object whose reason is the verdict's and not
// the plan's, and that it is complete.
func TestActionJSON(t *testing.T) {
	a := Action{
		Action: plan.Action{
			ActionID: "a1", Tool: "files.delete_folder", Args: map[string]any{"path": "/a"}, DependsOn: []string{}, ExpectedEffect: "folder_deleted",
			Preview: message.Verbatim("Delete /a"), Confidence: 1, RiskLevel: plan.High, IdempotencyScope: "files.delete_folder:1",
		},
		ToolDigest: hash("tool"), ArgsHash: hash("args"), Site: "https://a.example", Verdict: policy.Ask, Reason: message.Verbatim("it deletes"), Flags: []string{"f"},
		Destroys: []string{"/a"}, Count: 4, Reversible: true, Note: message.Verbatim("to the trash"), Identity: "it",
	}
	with := a
	with.Action.Reason = message.Verbatim("you said so")
	b := must.JSON(t, with)
	var back Action
	must.Succeed(t, json.Unmarshal(b, &back))
	if diff := cmp.Diff(a, back); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil || len(keys) != 21 {
		t.Errorf("%d members, want 21: %s", len(keys), b)
	}
}

// TestCallOfTheSameArguments checks that an approval covers only its own action: another action
// of the same tool with equal arguments is not approved with it.
func TestCallOfTheSameArguments(t *testing.T) {
	terms := terms()
	terms.Actions[3] = Action{Action: plan.Action{ActionID: "a4", Tool: "create_project"}, ToolDigest: terms.Actions[0].ToolDigest, ArgsHash: terms.Actions[0].ArgsHash}
	d := succeed(t)(succeed(t)(Propose("d1", terms, t0)).Approve(yes(1, "a1")))
	c := call("a1")
	if got := d.Check(c, minute(2)); got.Verdict != policy.Allow {
		t.Errorf("the approved action: %v by %s", got.Verdict, got.Rule)
	}
	c.ActionID = "a4"
	if got := d.Check(c, minute(2)); got.Rule != RuleMissing {
		t.Errorf("another action: %v by %s, want %s", got.Verdict, got.Rule, RuleMissing)
	}
}
