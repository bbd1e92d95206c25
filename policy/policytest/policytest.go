// Package policytest is the contract of [policy.Decider] as tests. Every
// implementation runs it, alone or in a [policy.Chain] with the user's settings.
package policytest

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
	"errand/policy"
)

// Build makes a decider that is at least as strict as these settings.
type Build func(*testing.T, policy.Settings) policy.Decider

// Run tests the deciders that build makes, and zero: the zero value of their type, or
// the decider after a failed load.
func Run(t *testing.T, zero policy.Decider, build Build) {
	t.Run("zero value denies", func(t *testing.T) { testZero(t, zero) })
	t.Run("floor", func(t *testing.T) { testFloor(t, build(t, lenient())) })
	t.Run("bad requests", func(t *testing.T) { testBadRequests(t, build(t, lenient())) })
	t.Run("deny over ask over allow", func(t *testing.T) { testOrder(t, build) })
	t.Run("approval lifts no ban", func(t *testing.T) { testApproval(t, build(t, mixedSettings())) })
	t.Run("untrusted text", func(t *testing.T) { testReadings(t, build(t, lenient())) })
	t.Run("explanation", func(t *testing.T) { testExplanation(t, build(t, mixedSettings())) })
	t.Run("digest", func(t *testing.T) { testDigest(t, build) })
	t.Run("several at once", func(t *testing.T) { testAtOnce(t, build(t, mixedSettings())) })
}

// lenient are settings that allow everything that settings can allow.
func lenient() policy.Settings {
	return policy.Settings{
		AllowedDomains: []string{"*:*", "http://*:*", "ws://*:*", "wss://*:*"}, UserGoalTools: []string{"*"},
		Rules: []policy.Rule{{Verdict: policy.Allow, Tool: "*"}},
	}
}

// mixedSettings are settings with verdicts of every kind.
func mixedSettings() policy.Settings {
	return policy.Settings{
		AllowedDomains: []string{"good.example", "!bad.example"}, AllowPrivate: []string{"127.0.0.1:11434"}, UserGoalTools: []string{"files.*"},
		Rules: []policy.Rule{
			{Verdict: policy.Deny, Tool: "mail.send"},
			{Verdict: policy.Ask, Tool: "pay.*"},
			{Verdict: policy.Allow, Tool: "pay.fee"},
			{Verdict: policy.Deny, Host: "ruled.good.example"},
		},
	}
}

var (
	wire  = []policy.Kind{policy.KindNavigate, policy.KindSubresource, policy.KindFetch}
	start = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
)

// requests are requests of every kind about a few tools and hosts.
func requests() (all []policy.Request) {
	for _, host := range []string{"good.example", "bad.example", "other.example", "ruled.good.example", "10.0.0.1", "localhost"} {
		url := "https://" + host + "/"
		for _, kind := range wire {
			all = append(all, policy.Request{Kind: kind, Tool: "browser.open", URL: url, Origin: plan.UserGoal, At: start})
		}
		all = append(all, call("browser.open", "write", "navigate", map[string]any{"url": url}))
	}
	for _, tool := range []string{"files.create_file", "mail.send", "mail.read", "pay.fee", "pay.bill"} {
		for _, class := range []string{"read", "write", "auth"} {
			all = append(all, call(tool, class, "input", map[string]any{"n": 1}))
		}
	}
	return all
}

func call(tool, class, effect string, args map[string]any) policy.Request {
	return policy.Request{Kind: policy.KindCall, Origin: plan.UserGoal, Tool: tool, Class: class, Effect: effect, Args: args, At: start}
}

// testZero tests that a decider without settings denies and has no digest.
func testZero(t *testing.T, zero policy.Decider) {
	for _, r := range requests() {
		if d := zero.Decide(r); d.Verdict != policy.Deny {
			t.Errorf("%+v: %+v", r, d)
		}
		if d, _ := zero.Explain(r); d.Verdict != policy.Deny {
			t.Errorf("%+v is explained as %+v", r, d)
		}
	}
	if d := zero.DecideAddr(netip.MustParseAddrPort("8.8.8.8:443")); d.Verdict != policy.Deny {
		t.Errorf("an address: %+v", d)
	}
	if digest := zero.Digest(); digest != "" {
		t.Errorf("digest %q", digest)
	}
}

// testFloor tests that no list and no rule allows what the floor denies.
func testFloor(t *testing.T, d policy.Decider) {
	for _, url := range []string{
		"http://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://[fe80::1]/", "http://169.254.169.254/latest/meta-data/", "https://localhost/",
		"https://printer.local/", "https://good.example:22/", "ftp://good.example/", "https://u@good.example/", `https:\\good.example/`, "https://good.example./",
		"http://0x7f.1/", "http://2130706433/", "file:///etc/passwd", "",
	} {
		for _, kind := range wire {
			for _, approved := range []bool{false, true} {
				r := policy.Request{Kind: kind, URL: url, Tool: "x", At: start, Approved: approved}
				if got := d.Decide(r); got.Verdict != policy.Deny {
					t.Errorf("%+v: %+v", r, got)
				}
			}
		}
		if r := call("browser.open", "write", "navigate", map[string]any{"url": url}); url != "" && d.Decide(r).Verdict != policy.Deny {
			t.Errorf("%+v: %+v", r, d.Decide(r))
		}
	}
	for address, want := range map[string]policy.Verdict{
		"8.8.8.8:443": policy.Allow, "127.0.0.1:80": policy.Deny, "10.0.0.1:443": policy.Deny, "[::1]:443": policy.Deny,
		"[::ffff:8.8.8.8]:443": policy.Deny, "[fe80::1%eth0]:443": policy.Deny, "8.8.8.8:22": policy.Deny, "8.8.8.8:0": policy.Deny,
	} {
		if got := d.DecideAddr(netip.MustParseAddrPort(address)); got.Verdict != want {
			t.Errorf("%s: %+v, want %v", address, got, want)
		}
	}
	if got := d.DecideAddr(netip.AddrPort{}); got.Verdict != policy.Deny {
		t.Errorf("no address: %+v", got)
	}
}

// testBadRequests tests that incomplete requests are denied.
func testBadRequests(t *testing.T, d policy.Decider) {
	for _, r := range []policy.Request{
		{},
		{Kind: policy.Kind(99), URL: "https://good.example/", Tool: "x", Class: "read"},
		{Kind: policy.KindCall, Tool: "x"},
		{Kind: policy.KindCall, Class: "read"},
		{Kind: policy.KindCall, Tool: "x", Class: "other"},
	} {
		if got := d.Decide(r); got.Verdict != policy.Deny || got.Rule == "" || got.Reason.IsZero() {
			t.Errorf("%+v: %+v", r, got)
		}
	}
}

// testOrder tests that the strictest rule decides, in any order of rules.
func testOrder(t *testing.T, build Build) {
	rules := []policy.Rule{{Verdict: policy.Allow, Tool: "x"}, {Verdict: policy.Ask, Tool: "x"}, {Verdict: policy.Deny, Tool: "x"}}
	r := call("x", "write", "commit", nil)
	for _, order := range [][]int{{0}, {0, 1}, {1, 0}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var s policy.Settings
		want := policy.Allow
		for _, i := range order {
			s.Rules = append(s.Rules, rules[i])
			want = min(want, rules[i].Verdict)
		}
		if got := build(t, s).Decide(r); got.Verdict != want {
			t.Errorf("rules %v: %+v, want %v", s.Rules, got, want)
		}
	}
}

// testApproval tests that an approval may turn Ask into Allow, and does not change
// Deny.
func testApproval(t *testing.T, d policy.Decider) {
	lifted := 0
	for _, r := range requests() {
		before := d.Decide(r)
		r.Approved = true
		after := d.Decide(r)
		if before.Verdict == policy.Deny && after.Verdict != policy.Deny || after.Verdict < before.Verdict {
			t.Errorf("%+v: %+v, and approved %+v", r, before, after)
		}
		if before.Verdict == policy.Ask && after.Verdict == policy.Allow {
			lifted++
		}
	}
	if lifted == 0 {
		t.Error("no approval changed a verdict")
	}
}

// testReadings tests that changes need approval in a run that has read untrusted text.
func testReadings(t *testing.T, d policy.Decider) {
	for _, r := range requests() {
		r.Readings = []policy.UntrustedRead{{Step: "a1", Tool: "browser.read"}}
		got := d.Decide(r)
		if r.Kind == policy.KindCall && r.Class != "read" && (got.Verdict == policy.Allow || got.Verdict == policy.Ask && !slices.Contains(got.Flags, policy.FlagUntrusted)) {
			t.Errorf("%+v: %+v", r, got)
		}
	}
}

// testExplanation tests that an explanation has the decision of Decide, and a stage
// that is stricter than Allow if the decision is.
func testExplanation(t *testing.T, d policy.Decider) {
	for _, r := range requests() {
		want := d.Decide(r)
		got, steps := d.Explain(r)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-Decide +Explain):\n%s", r, diff)
		}
		named := slices.ContainsFunc(steps, func(s policy.Step) bool { return s.Verdict == want.Verdict && s.Rule == want.Rule })
		if want.Verdict != policy.Allow && !named {
			t.Errorf("%+v: no stage names %s: %+v", r, want.Rule, steps)
		}
		if want.Rule == "" || want.Reason.IsZero() {
			t.Errorf("%+v: %+v has no rule or no reason", r, want)
		}
	}
}

// testDigest tests that equal settings have one digest, and other settings another.
func testDigest(t *testing.T, build Build) {
	seen := map[string]string{"": "nothing"}
	for name, s := range map[string]policy.Settings{
		"empty": {}, "lenient": lenient(), "mixed": mixedSettings(),
		"a rule": {Rules: []policy.Rule{{Verdict: policy.Deny, Tool: "x"}}}, "another rule": {Rules: []policy.Rule{{Verdict: policy.Ask, Tool: "x"}}},
	} {
		digest := build(t, s).Digest()
		if again := build(t, s).Digest(); again != digest {
			t.Errorf("%s: digests %q and %q", name, digest, again)
		}
		if twin, taken := seen[digest]; taken {
			t.Errorf("%s has the digest %q of %s", name, digest, twin)
		}
		seen[digest] = name
	}
}

// testAtOnce tests that concurrent requests get the same decisions as single ones, and
// don't change.
func testAtOnce(t *testing.T, d policy.Decider) {
	all := requests()
	var want []policy.Decision
	for _, r := range all {
		want = append(want, d.Decide(r))
	}
	var wg sync.WaitGroup
	faults := make(chan string, 4*len(all))
	for range 4 {
		wg.Go(func() {
			for i, r := range all {
				if got := d.Decide(r); !cmp.Equal(got, want[i]) {
					faults <- fmt.Sprintf("%+v: %+v, want %+v", r, got, want[i])
				}
			}
		})
	}
	wg.Wait()
	close(faults)
	for f := range faults {
		t.Error(f)
	}
	if diff := cmp.Diff(requests(), all); diff != "" {
		t.Errorf("requests were changed (-before +after):\n%s", diff)
	}
}
