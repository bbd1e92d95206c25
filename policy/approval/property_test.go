package approval

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"errand/build/must"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// random draws terms with dependencies that point backwards.
func random(r *rand.Rand) Terms {
	t := Terms{PlanDigest: hash(fmt.Sprint(r.IntN(3))), PolicyDigest: hash(fmt.Sprint(r.IntN(3)))}
	for i := range 1 + r.IntN(5) {
		a := action(fmt.Sprint("a", i+1), fmt.Sprint("tool", r.IntN(2)))
		a.ArgsHash, a.Destructive = hash(fmt.Sprint(r.IntN(2))), r.IntN(4) == 0
		for j := range i {
			if r.IntN(3) == 0 {
				a.DependsOn = append(a.DependsOn, fmt.Sprint("a", j+1))
			}
		}
		t.Actions = append(t.Actions, a)
		if r.IntN(3) > 0 || len(t.Modules) == 0 {
			t.Modules = append(t.Modules, plan.Module{ID: fmt.Sprint("m", i)})
		}
		m := &t.Modules[len(t.Modules)-1]
		m.Actions = append(m.Actions, a.ActionID)
	}
	if r.IntN(8) == 0 {
		t.Questions = []plan.Question{name}
	}
	if r.IntN(8) == 0 {
		t.Confirm = 5
	}
	return t
}

// flip changes one byte of a string, by any other value.
func flip(r *rand.Rand, s string) string {
	b := []byte(s)
	b[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
	return string(b)
}

// TestNoApprovalCoversAnotherByte checks with random drafts that an approved call is not covered
// any more if one byte of what the approval binds to changes.
func TestNoApprovalCoversAnotherByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	granted := 0
	for range 5_000 {
		d, err := Propose("d", random(r), t0)
		must.Succeed(t, err)
		d, err = d.Approve(Answer{By: "ann", At: minute(1), PlanDigest: d.PlanDigest, Actions: some(r, d.Actions), Confirm: d.Confirm, Confirmed: []string{"a1", "a2", "a3", "a4"}})
		if err != nil {
			continue
		}
		for _, id := range d.Approval.IDs() {
			a, _ := d.action(id)
			c := Call{PlanDigest: d.PlanDigest, PolicyDigest: d.PolicyDigest, ActionID: a.ActionID, Tool: a.Tool, ToolDigest: a.ToolDigest, ArgsHash: a.ArgsHash, Destructive: a.Destructive}
			if got := d.Check(c, minute(2)); got.Verdict != policy.Allow {
				t.Fatalf("%v by %s: not even the approved call is allowed", got.Verdict, got.Rule)
			}
			granted++
			for i, field := range []func(*Call) *string{
				func(c *Call) *string { return &c.PlanDigest }, func(c *Call) *string { return &c.PolicyDigest },
				func(c *Call) *string { return &c.Tool }, func(c *Call) *string { return &c.ToolDigest },
				func(c *Call) *string { return &c.ArgsHash },
			} {
				other := c
				*field(&other) = flip(r, *field(&other))
				if got := d.Check(other, minute(2)); got.Verdict == policy.Allow {
					t.Fatalf("field %d: allowed %+v, approved %+v", i, other, c)
				}
			}
		}
	}
	if granted < 1000 {
		t.Errorf("only %d calls were allowed: the test looks at nothing", granted)
	}
}

func some(r *rand.Rand, actions []Action) []string {
	var ids []string
	for _, a := range actions {
		if r.IntN(2) == 0 {
			ids = append(ids, a.ActionID)
		}
	}
	return ids
}

// TestNoCallWithoutItsOwnApproval draws random calls from small sets, so that many have an
// approval and many do not. Every permitted call was approved in all of its parts, in time,
// together with everything that it depends on.
func TestNoCallWithoutItsOwnApproval(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	granted := 0
	for range 30_000 {
		d, err := Propose("d", random(r), t0)
		must.Succeed(t, err)
		ids, confirmed := some(r, d.Actions), some(r, d.Actions)
		at := minute(r.IntN(12))
		d, err = d.Approve(Answer{By: "ann", At: at, PlanDigest: hash(fmt.Sprint(r.IntN(3))), Actions: ids, Confirm: d.Confirm, Confirmed: confirmed})
		if r.IntN(3) == 0 {
			d, _ = d.Begin(at)
		}
		tool := fmt.Sprint("tool", r.IntN(2))
		c := Call{
			PlanDigest: hash(fmt.Sprint(r.IntN(3))), PolicyDigest: hash(fmt.Sprint(r.IntN(3))), ActionID: fmt.Sprint("a", 1+r.IntN(3)),
			Tool: tool, ToolDigest: hash(tool), ArgsHash: hash(fmt.Sprint(r.IntN(2))), Destructive: r.IntN(2) == 0,
		}
		if r.IntN(2) == 0 {
			c.PlanDigest, c.PolicyDigest = d.PlanDigest, d.PolicyDigest
		}
		now := at.Add(time.Duration(r.IntN(15)-2) * time.Minute)
		if d.Check(c, now).Verdict != policy.Allow {
			continue
		}
		granted++
		a, known := d.action(c.ActionID)
		bound := known && a.Tool == c.Tool && a.ToolDigest == c.ToolDigest && a.ArgsHash == c.ArgsHash &&
			c.PlanDigest == d.PlanDigest && c.PolicyDigest == d.PolicyDigest
		named := len(ids) == 0 || slices.Contains(ids, c.ActionID) && containsAll(a.DependsOn, ids)
		own := !a.Destructive || len(d.Actions) == 1 || slices.Contains(confirmed, c.ActionID)
		if c.Destructive && !a.Destructive || !own {
			t.Fatalf("allowed %+v without its confirmation, under %+v", c, d)
		}
		if err != nil || !bound || !named || now.Before(at) || !now.Before(at.Add(TTL)) {
			t.Fatalf("allowed %+v at %s under %+v (%v)", c, now, d, err)
		}
	}
	if granted < 100 {
		t.Errorf("only %d calls were allowed: the test looks at nothing", granted)
	}
}

// TestRandomTransitions makes random transitions, valid and invalid ones, with an advancing
// clock. A Draft becomes APPLYING only with a valid approval, never leaves a final state, keeps
// everything that was rejected or done, and can always be read back.
func TestRandomTransitions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	reached := map[State]int{}
	for range 5_000 {
		now := t0
		d, err := Propose("d", random(r), now)
		must.Succeed(t, err)
		for range 1 + r.IntN(25) {
			now = now.Add(time.Duration(r.IntN(200)) * time.Second)
			was := d
			step := anyStep(r, &d, now)
			switch {
			case was.State.Final() && d.State != was.State:
				t.Fatalf("%s: from %s, which is final, to %s", step, was.State, d.State)
			case d.State == StateApplying && was.State != StateApplying && (was.State != StateReady || !was.isApprovalValid(now)):
				t.Fatalf("%s: applying without an approval that lasts: %+v", step, was)
			case !containsAll(was.Rejected, d.Rejected) || !containsAll(was.Done, d.Done):
				t.Fatalf("%s: rejected %v, done %v are now %v, %v", step, was.Rejected, was.Done, d.Rejected, d.Done)
			case d.Approval != nil && slices.ContainsFunc(d.Approval.Actions, func(a Binding) bool { return slices.Contains(was.Rejected, a.ActionID) }):
				t.Fatalf("%s: what was rejected is approved: %+v", step, d)
			}
			if err := d.Validate(); err != nil {
				t.Fatalf("%s: %v\nwas %+v\nnow %+v", step, err, was, d)
			}
			for _, m := range d.ModulesNow() {
				if m.Status == ModuleBlocked && containsAll(d.parents(m), d.Done) {
					t.Fatalf("%s: module %s waits for nothing", step, m.ID)
				}
			}
			reached[d.State]++
		}
	}
	for _, s := range []State{StateDraft, StateReady, StateApplying, StateApplied, StateCancelled, StateExpired, StateBlocked, StateFailed} {
		if reached[s] < 100 {
			t.Errorf("%s was reached %d times: the test looks at little", s, reached[s])
		}
	}
}

func anyStep(r *rand.Rand, d *Draft, now time.Time) string {
	ids := some(r, d.Actions)
	var err error
	step := []string{"approve", "approve", "begin", "applied", "reject", "answer", "revise", "reopen", "block", "fail", "cancel", "expire"}[r.IntN(12)]
	switch step {
	case "approve":
		*d, err = d.Approve(Answer{By: "ann", At: now, PlanDigest: d.PlanDigest, Actions: ids, Confirm: d.Confirm})
	case "begin":
		*d, err = d.Begin(now)
	case "applied":
		if d.Approval != nil && r.IntN(2) == 0 {
			ids = nil
			for _, a := range d.Approval.Actions {
				ids = append(ids, a.ActionID)
			}
		}
		*d, err = d.FinishApply(ids, message.Message{}, now)
	case "reject":
		if len(ids) > 0 { // to say no to all is "cancel"
			*d, err = d.Reject("ann", now, ids[0])
		}
	case "answer":
		*d, err = d.Answer("name", "x", now)
	case "revise":
		*d, err = d.Revise(random(r), now)
	case "reopen":
		*d, err = d.Reopen(now)
	case "block":
		*d, err = d.Block(message.Verbatim("wait"))
	case "fail":
		*d, err = d.Fail(d.Remaining()...)
	case "cancel":
		if r.IntN(5) == 0 {
			*d, err = d.Cancel(message.Verbatim("no"))
		}
	case "expire":
		*d = d.Expire(now)
	}
	return fmt.Sprintf("%s %v (%v)", step, ids, err)
}

// FuzzValidate checks that a valid Draft stays the same when it is written and read again, and
// permits only calls with a valid approval.
func FuzzValidate(f *testing.F) {
	for _, d := range []Draft{draft(f), approved(f, "a1", "a4"), applying(f), asking(f, platform, name)} {
		b := must.JSON(f, d)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var d Draft
		if json.Unmarshal(b, &d) != nil || d.Validate() != nil {
			return
		}
		again, err := json.Marshal(d)
		if err != nil {
			return // a year that JSON can't write
		}
		var same Draft
		if err := json.Unmarshal(again, &same); err != nil || same.Validate() != nil {
			t.Fatalf("%s can't be read back: %v, %v", again, err, same.Validate())
		}
		d.ModulesNow()
		for _, a := range d.Actions {
			c := Call{PlanDigest: d.PlanDigest, PolicyDigest: d.PolicyDigest, ActionID: a.ActionID, Tool: a.Tool, ToolDigest: a.ToolDigest, ArgsHash: a.ArgsHash, Destructive: a.Destructive}
			for _, now := range []time.Time{t0, minute(5), d.CreatedAt, d.ExpiresAt} {
				if d.Check(c, now).Verdict != policy.Allow {
					continue
				}
				if !d.isApprovalValid(now) || d.State != StateReady && d.State != StateApplying || slices.Contains(d.Rejected, a.ActionID) {
					t.Fatalf("allowed %+v at %s under %s", c, now, again)
				}
			}
		}
		if begun, err := d.Begin(minute(5)); err == nil && (d.State != StateReady || !d.isApprovalValid(minute(5)) || begun.State != StateApplying) {
			t.Fatalf("begun without an approval: %s", again)
		}
	})
}
