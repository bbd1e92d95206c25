package policy

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// What random rules and requests are drawn from: few values, so that they meet.
var (
	drawnTools   = []string{"files.create_folder", "files.delete_file", "browser.open", "x"}
	drawnEffects = []string{"file", "navigate", "commit", "read"}
	drawnHosts   = []string{"good.example", "bad.example", "unlisted.example"}
	drawnOrigins = []plan.Origin{plan.UserGoal, plan.Agent, plan.Upload}
	drawnTime    = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	// refused are URLs under which no rule and no list may open anything.
	refused = []string{"http://127.0.0.1/", "https://localhost/", "https://good.example:22/", "ftp://good.example/", "https://u@good.example/"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func maybe[T any](r *rand.Rand, from []T) (v T) {
	if r.IntN(4) == 0 {
		v = pick(r, from)
	}
	return v
}

func drawRule(r *rand.Rand) Rule {
	rule := Rule{
		Verdict: Verdict(r.IntN(3)), Tool: maybe(r, append([]string{"*", "files.*"}, drawnTools...)),
		Effect: maybe(r, drawnEffects), Host: maybe(r, drawnHosts), Origin: string(maybe(r, drawnOrigins)),
		Until: maybe(r, []time.Time{drawnTime}),
	}
	if r.IntN(4) == 0 {
		rule.Args = map[string]string{"/n": fmt.Sprint(r.IntN(2))}
	}
	if rule.Tool == "" && rule.Effect == "" && rule.Host == "" && rule.Origin == "" && rule.Args == nil {
		rule.Tool = "*"
	}
	return rule
}

func drawRequest(r *rand.Rand) Request {
	q := Request{
		Kind: pick(r, []Kind{KindCall, KindCall, KindCall, KindNavigate, KindFetch, KindSubresource}),
		Tool: pick(r, drawnTools), Class: pick(r, []string{"read", "write", "auth"}), Effect: pick(r, drawnEffects),
		Origin: pick(r, drawnOrigins), Approved: r.IntN(4) == 0, Voice: r.IntN(6) == 0,
		At: pick(r, []time.Time{{}, drawnTime.Add(-1), drawnTime}),
	}
	q.URL = "https://" + pick(r, drawnHosts) + "/"
	if r.IntN(6) == 0 {
		q.URL = pick(r, refused)
	}
	q.Args = map[string]any{"n": r.IntN(3)}
	if r.IntN(2) == 0 {
		q.Args["url"] = q.URL
	}
	return q
}

// inForce says, in plain words and apart from the program, whether a denying or
// asking rule that was drawn speaks about a request that was drawn.
func inForce(rule Rule, q Request) bool {
	u, _ := url.Parse(q.URL)
	reaches := q.Kind != KindCall || q.Effect == "navigate" && q.Args["url"] != nil
	switch {
	case !rule.Until.IsZero() && !q.At.IsZero() && !q.At.Before(rule.Until),
		rule.Tool != "" && rule.Tool != "*" && rule.Tool != q.Tool && (rule.Tool != "files.*" || !strings.HasPrefix(q.Tool, "files.")),
		rule.Effect != "" && rule.Effect != q.Effect,
		rule.Origin != "" && rule.Origin != string(q.Origin),
		rule.Host != "" && (!reaches || rule.Host != u.Hostname()),
		rule.Host == "" && q.Kind != KindCall, // on the wire only hosts are judged
		rule.Args != nil && rule.Args["/n"] != fmt.Sprint(q.Args["n"]):
		return false
	}
	return true
}

// TestRulesHaveNoOrder checks with random rules and requests that deny precedes ask and ask
// precedes allow in any order, and that no rules allow what the basic checks or the lists deny.
func TestRulesHaveNoOrder(t *testing.T) {
	t.Run("X-12 deny over ask over allow, in every order", func(t *testing.T) {
		r := rand.New(rand.NewPCG(12, 12))
		base := Settings{AllowedDomains: []string{"good.example", "bad.example"}, UserGoalTools: []string{"files.create_*"}}
		bare := newPolicy(t, base)
		var denied, asked, allowed, beaten int
		for range 3_000 {
			var rules []Rule
			for range 1 + r.IntN(4) {
				rules = append(rules, drawRule(r))
			}
			orders := permutations(rules)
			policies := make([]*Policy, len(orders))
			for i, order := range orders {
				s := base
				s.Rules = order
				policies[i] = newPolicy(t, s)
				if policies[i].Digest() != policies[0].Digest() {
					t.Fatalf("the digest of %+v depends on their order", order)
				}
			}
			for range 4 {
				q := drawRequest(r)
				first := policies[0].Decide(q)
				for i, p := range policies[1:] {
					if d := p.Decide(q); d.Verdict != first.Verdict || !cmp.Equal(d.Flags, first.Flags) || byRule(d) != byRule(first) {
						t.Fatalf("%+v\nis %+v under %+v\nand %+v under %+v", q, first, orders[0], d, orders[i+1])
					}
				}
				deny := slices.ContainsFunc(rules, func(rule Rule) bool { return rule.Verdict == Deny && inForce(rule, q) })
				ask := slices.ContainsFunc(rules, func(rule Rule) bool { return rule.Verdict == Ask && inForce(rule, q) })
				without := bare.Decide(q)
				switch {
				case deny && first.Verdict != Deny:
					t.Fatalf("%+v\nis not denied under %+v: %+v", q, rules, first)
				case ask && !q.Approved && first.Verdict == Allow:
					t.Fatalf("%+v\nis not asked about under %+v: %+v", q, rules, first)
				case without.Verdict == Deny && first.Verdict != Deny,
					without.Rule == RuleUnlisted && first.Verdict == Allow,
					q.Kind != KindCall && first.Verdict > without.Verdict:
					t.Fatalf("%+v\nis loosened by %+v: %+v, and without rules %+v", q, rules, first, without)
				}
				if (deny || ask) && slices.ContainsFunc(rules, func(rule Rule) bool { return rule.Verdict == Allow && inForce(rule, q) }) {
					beaten++
				}
				count(first.Verdict, &denied, &asked, &allowed)
			}
		}
		if min(denied, asked, allowed, beaten) < 400 {
			t.Errorf("%d denied, %d asked about, %d allowed, %d allowing rules beaten: the test looks at little", denied, asked, allowed, beaten)
		}
	})
	t.Run("X-12 a stricter rule never loosens", func(t *testing.T) {
		r := rand.New(rand.NewPCG(21, 21))
		for range 5_000 {
			s := Settings{AllowedDomains: []string{"good.example"}, UserGoalTools: []string{"*"}}
			for range r.IntN(4) {
				s.Rules = append(s.Rules, drawRule(r))
			}
			q := drawRequest(r)
			before := newPolicy(t, s).Decide(q)
			added := drawRule(r)
			added.Verdict = Verdict(r.IntN(2))
			s.Rules = slices.Insert(s.Rules, r.IntN(len(s.Rules)+1), added)
			if after := newPolicy(t, s).Decide(q); after.Verdict > before.Verdict {
				t.Fatalf("%+v\nis %+v, and %+v with %+v", q, before, after, added)
			}
		}
	})
	t.Run("X-12 the floor under any rules", func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 3))
		for range 2_000 {
			s := Settings{AllowedDomains: []string{"*:*", "http://*:*"}, UserGoalTools: []string{"*"}, Rules: []Rule{{Verdict: Allow, Tool: "*"}}}
			for range r.IntN(4) {
				s.Rules = append(s.Rules, drawRule(r))
			}
			p := newPolicy(t, s)
			for _, raw := range refused {
				q := drawRequest(r)
				q.URL, q.Effect, q.Args["url"] = raw, "navigate", raw
				if d := p.Decide(q); d.Verdict != Deny {
					t.Fatalf("%+v\nis %+v under %+v", q, d, s.Rules)
				}
			}
		}
	})
}

// byRule says whether a rule of the config decided; which of several that say
// the same is not what is asked.
func byRule(d Decision) string {
	if strings.HasPrefix(d.Rule, "rules[") {
		return "rules"
	}
	return d.Rule
}

func count(v Verdict, denied, asked, allowed *int) {
	*[]*int{Deny: denied, Ask: asked, Allow: allowed}[v]++
}

// permutations are all orders of some rules.
func permutations(rules []Rule) [][]Rule {
	if len(rules) <= 1 {
		return [][]Rule{slices.Clone(rules)}
	}
	var out [][]Rule
	for i := range rules {
		rest := slices.Delete(slices.Clone(rules), i, i+1)
		for _, p := range permutations(rest) {
			out = append(out, append([]Rule{rules[i]}, p...))
		}
	}
	return out
}
