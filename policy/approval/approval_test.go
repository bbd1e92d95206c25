package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/policy"
)

var t0 = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func draft(t testing.TB) Draft {
	t.Helper()
	d, err := Propose("d1", "plan", []Action{
		{"a1", "files.create_folder", hash("one")},
		{"a2", "files.delete_file", hash("two")},
	}, t0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func approved(t testing.TB, ids ...string) Draft {
	t.Helper()
	d, err := draft(t).Approve("ann", "plan", t0.Add(time.Minute), time.Time{}, ids...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func call(id, tool, args string) Call { return Call{"plan", id, tool, hash(args)} }

func TestProposeRefuses(t *testing.T) {
	good := Action{"a1", "x", hash("")}
	tests := []struct {
		name, id, digest string
		actions          []Action
	}{
		{"no id", "", "plan", []Action{good}},
		{"no plan", "d", "", []Action{good}},
		{"no actions", "d", "plan", nil},
		{"action without id", "d", "plan", []Action{{"", "x", hash("")}}},
		{"action without tool", "d", "plan", []Action{{"a1", "", hash("")}}},
		{"an id twice", "d", "plan", []Action{good, good}},
		{"arguments that have no hash", "d", "plan", []Action{{"a1", "x", "unhashable"}}},
		{"hash in capitals", "d", "plan", []Action{{"a1", "x", "A" + hash("")[1:]}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d, err := Propose(tt.id, tt.digest, tt.actions, t0); err == nil {
				t.Errorf("proposed %+v", d)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	right := call("a1", "files.create_folder", "one")
	applying, err := approved(t).Begin(t0.Add(2 * time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	done, _ := applying.Finish()
	cancelled, _ := applying.Cancel("stop")
	blocked, _ := applying.Block("a1 failed")
	tests := []struct {
		name  string
		draft Draft
		call  Call
		after time.Duration
		want  policy.Verdict
		rule  string
	}{
		{"approved", approved(t), right, 2 * time.Minute, policy.Allow, RuleGranted},
		{"while it is applied", applying, right, 2 * time.Minute, policy.Allow, RuleGranted},
		{"at the moment of approval", approved(t), right, time.Minute, policy.Allow, RuleGranted},
		{"just before its end", approved(t), right, 11*time.Minute - 1, policy.Allow, RuleGranted},
		{"at its end", approved(t), right, 11 * time.Minute, policy.Ask, RuleExpired},
		{"before the approval", approved(t), right, 0, policy.Ask, RuleExpired},
		{"not approved", draft(t), right, time.Minute, policy.Ask, RuleMissing},
		{"zero draft", Draft{}, right, time.Minute, policy.Ask, RuleMissing},
		{"approval lost on the way", Draft{State: StateReady, PlanDigest: "plan"}, right, time.Minute, policy.Ask, RuleMissing},
		{"other arguments", approved(t), call("a1", "files.create_folder", "One"), 2 * time.Minute, policy.Ask, RuleDrift},
		{"another tool", approved(t), call("a1", "files.delete_folder", "one"), 2 * time.Minute, policy.Ask, RuleDrift},
		{"another plan", approved(t), Call{"plan2", "a1", "files.create_folder", hash("one")}, 2 * time.Minute, policy.Ask, RuleDrift},
		{"arguments of another action", approved(t), call("a1", "files.create_folder", "two"), 2 * time.Minute, policy.Ask, RuleDrift},
		{"no hash", approved(t), Call{"plan", "a1", "files.create_folder", ""}, 2 * time.Minute, policy.Ask, RuleDrift},
		{"unknown action", approved(t), call("a3", "x", "one"), 2 * time.Minute, policy.Ask, RuleMissing},
		{"an action that was left out", approved(t, "a1"), call("a2", "files.delete_file", "two"), 2 * time.Minute, policy.Ask, RuleMissing},
		{"one action of two", approved(t, "a2", "a2"), call("a2", "files.delete_file", "two"), 2 * time.Minute, policy.Allow, RuleGranted},
		{"done", done, right, 2 * time.Minute, policy.Ask, RuleEnded},
		{"cancelled", cancelled, right, 2 * time.Minute, policy.Deny, RuleEnded},
		{"blocked", blocked, right, 2 * time.Minute, policy.Ask, RuleMissing},
		{"expired", draft(t).Expire(t0.Add(TTL)), right, TTL, policy.Ask, RuleExpired},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := tt.draft.Check(tt.call, t0.Add(tt.after)); d.Verdict != tt.want || d.Rule != tt.rule {
				t.Errorf("%v by %s (%s), want %v by %s", d.Verdict, d.Rule, d.Reason, tt.want, tt.rule)
			}
		})
	}
}

func TestApproveRefuses(t *testing.T) {
	d := draft(t)
	tests := []struct {
		name    string
		approve func() (Draft, error)
	}{
		{"nobody", func() (Draft, error) { return d.Approve("", "plan", t0, time.Time{}) }},
		{"another plan", func() (Draft, error) { return d.Approve("ann", "other", t0, time.Time{}) }},
		{"an unknown action", func() (Draft, error) { return d.Approve("ann", "plan", t0, time.Time{}, "a9") }},
		{"an end before the beginning", func() (Draft, error) { return d.Approve("ann", "plan", t0, t0) }},
		{"twice", func() (Draft, error) { return approved(t).Approve("ann", "plan", t0, time.Time{}) }},
		{"the zero draft", func() (Draft, error) { return Draft{}.Approve("ann", "", t0, time.Time{}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.approve()
			if err == nil || got.Check(call("a1", "files.create_folder", "one"), t0).Verdict == policy.Allow && tt.name != "twice" {
				t.Errorf("approved: %+v, %v", got, err)
			}
		})
	}
	late, err := d.Approve("ann", "plan", t0.Add(TTL), time.Time{})
	if !errors.Is(err, ErrExpired) || late.State != StateExpired {
		t.Errorf("approved at its end: %s, %v; want it expired", late.State, err)
	}
}

// TestSteps walks every pair of states by the public steps.
func TestSteps(t *testing.T) {
	at := func(s State) Draft {
		d := approved(t)
		d.State = s
		return d
	}
	steps := map[State]func(Draft) (Draft, error){
		StateReady:     func(d Draft) (Draft, error) { return d.Approve("ann", "plan", t0, time.Time{}) },
		StateApplying:  func(d Draft) (Draft, error) { return d.Begin(t0.Add(2 * time.Minute)) },
		StateApplied:   Draft.Finish,
		StateCancelled: func(d Draft) (Draft, error) { return d.Cancel("no") },
		StateBlocked:   func(d Draft) (Draft, error) { return d.Block("wait") },
		StateDraft:     func(d Draft) (Draft, error) { return d.Reopen(t0) },
	}
	want := map[State]string{
		StateDraft:     "BLOCKED CANCELLED READY",
		StateReady:     "APPLYING BLOCKED CANCELLED DRAFT",
		StateApplying:  "APPLIED BLOCKED CANCELLED",
		StateBlocked:   "CANCELLED DRAFT",
		StateApplied:   "",
		StateCancelled: "",
		StateExpired:   "",
		"":             "",
	}
	for from, expected := range want {
		got := ""
		for _, to := range []State{StateApplied, StateApplying, StateBlocked, StateCancelled, StateDraft, StateReady} {
			after, err := steps[to](at(from))
			var wrong *StepError
			switch {
			case err == nil && after.State == to:
				got += " " + string(to)
			case err == nil || !errors.As(err, &wrong) || after.State != from:
				t.Errorf("%s to %s: now %s, error %v", from, to, after.State, err)
			}
		}
		if got != "" {
			got = got[1:]
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("steps from %q (-want +got):\n%s", from, diff)
		}
		if from.Final() != (expected == "") {
			t.Errorf("%q.Final() = %v", from, from.Final())
		}
	}
}

func TestExpire(t *testing.T) {
	blocked, _ := draft(t).Block("a parent is not approved")
	applying, _ := approved(t).Begin(t0.Add(2 * time.Minute))
	tests := []struct {
		name  string
		draft Draft
		after time.Duration
		want  State
	}{
		{"in time", draft(t), TTL - 1, StateDraft},
		{"at its end", draft(t), TTL, StateExpired},
		{"blocked", blocked, TTL, StateExpired},
		{"approved in time", approved(t), TTL + time.Minute - 1, StateReady},
		{"approved, never applied", approved(t), TTL + time.Minute, StateExpired},
		{"being applied", applying, 24 * time.Hour, StateApplying},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.draft.Expire(t0.Add(tt.after)).State; got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if d, err := approved(t).Begin(t0.Add(time.Hour)); !errors.Is(err, ErrExpired) || d.State != StateExpired {
		t.Errorf("began after the approval's end: %s, %v", d.State, err)
	}
}

// TestStepsLeaveTheirDraftAlone: a Draft is a value; approving a copy approves
// nothing else.
func TestStepsLeaveTheirDraftAlone(t *testing.T) {
	d := draft(t)
	yes, _ := d.Approve("ann", "plan", t0, time.Time{}, "a1")
	d.Actions[0].ArgsHash = hash("changed")
	if d.State != StateDraft || d.Approval != nil {
		t.Errorf("the draft itself was approved: %+v", d)
	}
	if got := yes.Check(call("a1", "files.create_folder", "one"), t0).Verdict; got != policy.Allow {
		t.Errorf("a change of the draft reached the approval: %v", got)
	}
	if got := yes.Check(call("a1", "files.create_folder", "changed"), t0).Verdict; got == policy.Allow {
		t.Error("a change of the draft was approved with it")
	}
}

func TestJSON(t *testing.T) {
	want := approved(t, "a1")
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Draft
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]Draft{
		"unknown state":    {State: "DONE"},
		"no state":         {},
		"ready for nobody": {State: StateReady},
		"another plan's":   {State: StateDraft, PlanDigest: "plan", Approval: &Approval{PlanDigest: "other"}},
	} {
		if bad.Validate() == nil {
			t.Errorf("%s: taken for a draft", name)
		}
	}
}

// TestNoApprovalCoversAnythingElse draws drafts, approvals and calls at random
// from small sets, so that they meet and miss each other often. A call is
// allowed only if it is, in every part, one that was approved, in time.
func TestNoApprovalCoversAnythingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(prefix string) string { return fmt.Sprint(prefix, r.IntN(3)) }
	granted := 0
	for range 50_000 {
		var actions []Action
		for i := range 1 + r.IntN(3) {
			actions = append(actions, Action{fmt.Sprint("a", i), pick("tool"), hash(pick("args"))})
		}
		d, err := Propose("d", pick("plan"), actions, t0)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		if r.IntN(2) == 0 {
			ids = []string{actions[r.IntN(len(actions))].ID}
		}
		at := t0.Add(time.Duration(r.IntN(12)) * time.Minute)
		d, err = d.Approve("ann", pick("plan"), at, time.Time{}, ids...)
		if r.IntN(3) == 0 {
			d, _ = d.Begin(at)
		}
		c := Call{pick("plan"), pick("a"), pick("tool"), hash(pick("args"))}
		now := t0.Add(time.Duration(r.IntN(25)) * time.Minute)
		if d.Check(c, now).Verdict != policy.Allow {
			continue
		}
		granted++
		named := len(ids) == 0 || ids[0] == c.ActionID
		same := false
		for _, a := range actions {
			same = same || a == Action{c.ActionID, c.Tool, c.ArgsHash}
		}
		if err != nil || !same || !named || c.PlanDigest != d.PlanDigest || now.Before(at) || !now.Before(at.Add(TTL)) {
			t.Fatalf("allowed %+v at %s under %+v (%v)", c, now, d, err)
		}
	}
	if granted < 100 {
		t.Errorf("only %d calls were allowed: the test looks at nothing", granted)
	}
}
