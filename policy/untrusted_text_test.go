package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/message"
)

var (
	quiet  = UntrustedRead{Step: "a1", Tool: "browser.open", From: []string{"demo.example"}}
	orders = UntrustedRead{Step: "a2", Tool: "http.fetch", Technique: "override", Excerpt: "Ignore all previous instructions"}
	ahead  = UntrustedRead{Step: "a3", Tool: "http.fetch", From: []string{"x.example"}, Pending: true}
)

// TestAfterReading checks the decision about a call that changes something after its run has read
// untrusted text.
func TestAfterReading(t *testing.T) {
	tests := []struct {
		name     string
		before   Decision
		class    string
		readings []UntrustedRead
		verdict  Verdict
		rule     string
		reason   []string // parts of it
	}{
		{"nothing was read", allow(RuleUserGoal, message.Verbatim("you asked for it")), "write", nil, Allow, RuleUserGoal, []string{"you asked for it"}},
		{"a read", allow(RuleRead, message.Verbatim("it only reads")), "read", []UntrustedRead{orders}, Allow, RuleRead, []string{"it only reads"}},
		{"a write that you asked for", allow(RuleUserGoal, message.Verbatim("x")), "write", []UntrustedRead{quiet}, Ask, RuleUntrusted, []string{"a1 (browser.open, demo.example)", "no instruction was found"}},
		{"a rule that allows", allow("rules[0]", message.Verbatim("x")), "auth", []UntrustedRead{orders}, Ask, RuleUntrusted, []string{"a2 (http.fetch)", `"Ignore all previous instructions"`, "override"}},
		{"to be read", allow(RuleUserGoal, message.Verbatim("x")), "write", []UntrustedRead{ahead}, Ask, RuleUntrusted, []string{"it runs after a3, which reads untrusted content", "x.example"}},
		{"the worst of several is named", allow(RuleUserGoal, message.Verbatim("x")), "write", []UntrustedRead{ahead, quiet, orders}, Ask, RuleUntrusted, []string{"a2 (http.fetch)", "it has also read http.fetch x.example and browser.open demo.example"}},
		{"what asks anyway", ask(RuleDefaultAsk, message.Verbatim("it changes something")), "write", []UntrustedRead{quiet}, Ask, RuleDefaultAsk, []string{"it changes something; this run has read", "a1"}},
		{"a no stays one", deny("rules[1]", message.Verbatim("never")), "write", []UntrustedRead{orders}, Deny, "rules[1]", []string{"never"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.before.Escalate(tt.class, tt.readings)
			if d.Verdict != tt.verdict || d.Rule != tt.rule {
				t.Errorf("%v by %s, want %v by %s", d.Verdict, d.Rule, tt.verdict, tt.rule)
			}
			for _, part := range tt.reason {
				if !strings.Contains(english(d.Reason), part) {
					t.Errorf("reason %q lacks %q", english(d.Reason), part)
				}
			}
			changed := !cmp.Equal(d, tt.before)
			if slices.Contains(d.Flags, FlagUntrusted) != changed {
				t.Errorf("flags %v", d.Flags)
			}
			if again := d.Escalate(tt.class, tt.readings); !cmp.Equal(again, d) {
				t.Errorf("twice it is %+v", again)
			}
		})
	}
}

// TestUntrustedReadIsPermanent checks with random rules, lists, grants, origins and requests that
// after untrusted text no call that changes something is allowed, except the one that the user
// approved. Decisions about reading calls stay the same.
func TestUntrustedReadIsPermanent(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	escalated := 0
	for range 20_000 {
		s := Settings{AllowedDomains: []string{"good.example"}, UserGoalTools: []string{pick(r, []string{"*", "files.*", "x"})}}
		for range r.IntN(5) {
			rule := drawRule(r)
			rule.Verdict = pick(r, []Verdict{Allow, Allow, Ask, Deny})
			s.Rules = append(s.Rules, rule)
		}
		p := newPolicy(t, s)
		if r.IntN(3) == 0 {
			p = p.WithGrants(Grant{ID: "g", Pattern: pick(r, drawnHosts), Scope: Always})
		}
		q := drawRequest(r)
		q.Kind = KindCall
		before := p.Decide(q)
		for range 1 + r.IntN(3) {
			q.Readings = append(q.Readings, pick(r, []UntrustedRead{quiet, orders, ahead}))
		}
		after := p.Decide(q)
		switch {
		case q.Class != "read" && !q.Approved && after.Verdict == Allow:
			t.Fatalf("%+v\nis allowed under %+v: %+v", q, s.Rules, after)
		case after.Verdict > before.Verdict:
			t.Fatalf("%+v\nis loosened: %+v, and %+v before", q, after, before)
		case (q.Class == "read" || q.Approved || before.Verdict == Deny) && !cmp.Equal(before, after):
			t.Fatalf("%+v\nis %+v, and %+v before", q, after, before)
		case before.Verdict == Allow && after.Verdict == Ask:
			escalated++
			if after.Rule != RuleUntrusted || !slices.Contains(after.Flags, FlagUntrusted) {
				t.Fatalf("%+v\nis asked about by %s, flags %v", q, after.Rule, after.Flags)
			}
			if change, ok := p.Change(q); ok && change.Verdict == Allow {
				t.Fatalf("%+v\nis allowed by the change %+v", q, change)
			}
		}
		if d, steps := p.Explain(q); !cmp.Equal(d, after) || d.Rule == RuleUntrusted && steps[len(steps)-1].Rule != RuleUntrusted {
			t.Fatalf("%+v\nis explained as %+v: %+v", q, d, steps)
		}
	}
	if escalated < 1000 {
		t.Errorf("%d were escalated: the test looks at little", escalated)
	}
}

func ExampleDecision_Escalate() {
	d := Decision{Verdict: Allow, Rule: RuleUserGoal, Reason: message.New("policy.user_goal")}
	d = d.Escalate("write", []UntrustedRead{{Step: "a1", Tool: "browser.open", From: []string{"demo.example"}}})
	fmt.Println(d.Verdict, d.Rule)
	// Output: ask untrusted_text
}
