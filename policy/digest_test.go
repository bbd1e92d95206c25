package policy

import (
	"slices"
	"testing"
	"time"
)

// digested are settings with something of everything.
func digested() Settings {
	return Settings{
		AllowedDomains: []string{"example.com", "!bad.example.com", "*.example.org"},
		AllowPrivate:   []string{"127.0.0.1:11434", "10.20.0.0/16"},
		UserGoalTools:  []string{"hash.*", "files.create_*"},
		Rules: []Rule{
			{Verdict: Deny, Tool: "files.delete_*", Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
			{Verdict: Ask, Effect: "commit", Args: map[string]string{"/a": "1", "/b": "2"}, Reason: "money"},
			{Verdict: Allow, Host: "example.com", Origin: "agent"},
		},
	}
}

// TestDigest checks that the digest covers everything that affects decisions, and nothing else.
func TestDigest(t *testing.T) {
	digest := newPolicy(t, digested()).Digest()
	// As written by another process: approvals that are kept outlive this one.
	if want := "41ccc15c2f48e8f0c6d0a1c2c007dda8943dae29a8b08650433f9b86a07469e6"; digest != want {
		t.Errorf("digest %s, want %s", digest, want)
	}
	change := func(f func(*Settings)) string {
		s := digested()
		f(&s)
		return newPolicy(t, s).Digest()
	}
	for name, f := range map[string]func(*Settings){
		"domains in another order": func(s *Settings) { slices.Reverse(s.AllowedDomains) },
		"a domain twice":           func(s *Settings) { s.AllowedDomains = append(s.AllowedDomains, "example.com") },
		"addresses in order":       func(s *Settings) { slices.Reverse(s.AllowPrivate) },
		"tools in another order":   func(s *Settings) { slices.Reverse(s.UserGoalTools) },
		"rules in another order":   func(s *Settings) { slices.Reverse(s.Rules) },
		"a rule twice":             func(s *Settings) { s.Rules = append(s.Rules, s.Rules[1]) },
		"a rule's reason":          func(s *Settings) { s.Rules[1].Reason = "expensive" },
		"an end in another zone":   func(s *Settings) { s.Rules[0].Until = s.Rules[0].Until.In(time.FixedZone("", 3600)) },
		"the default, spelled out": func(s *Settings) { s.Subresources = "public" },
	} {
		if got := change(f); got != digest {
			t.Errorf("%s: another digest", name)
		}
	}
	seen := map[string]string{digest: "nothing"}
	for name, f := range map[string]func(*Settings){
		"a host":                 func(s *Settings) { s.AllowedDomains = append(s.AllowedDomains, "example.net") },
		"a host less":            func(s *Settings) { s.AllowedDomains = s.AllowedDomains[:2] },
		"a ban less":             func(s *Settings) { s.AllowedDomains[1] = "bad.example.com" },
		"a private place":        func(s *Settings) { s.AllowPrivate = append(s.AllowPrivate, "127.0.0.1:80") },
		"a list for another":     func(s *Settings) { s.UserGoalTools, s.AllowedDomains = []string{"example.com"}, nil },
		"subresources":           func(s *Settings) { s.Subresources = "listed" },
		"a tool":                 func(s *Settings) { s.UserGoalTools[0] = "hash.md5" },
		"a rule less":            func(s *Settings) { s.Rules = s.Rules[1:] },
		"a rule's verdict":       func(s *Settings) { s.Rules[0].Verdict = Ask },
		"a rule's tool":          func(s *Settings) { s.Rules[0].Tool = "files.*" },
		"a rule's end":           func(s *Settings) { s.Rules[0].Until = s.Rules[0].Until.Add(1) },
		"a rule without end":     func(s *Settings) { s.Rules[0].Until = time.Time{} },
		"a rule's effect":        func(s *Settings) { s.Rules[1].Effect = "input" },
		"a rule's argument":      func(s *Settings) { s.Rules[1].Args = map[string]string{"/a": "1", "/b": "3"} },
		"a rule's pointer":       func(s *Settings) { s.Rules[1].Args = map[string]string{"/a": "1", "/c": "2"} },
		"arguments changed over": func(s *Settings) { s.Rules[1].Args = map[string]string{"/a": "2", "/b": "1"} },
		"a rule's host":          func(s *Settings) { s.Rules[2].Host = "*.example.com" },
		"a rule's origin":        func(s *Settings) { s.Rules[2].Origin = "mcp" },
	} {
		got := change(f)
		if twin, taken := seen[got]; taken || len(got) != 64 {
			t.Errorf("%s: the digest %q of %s", name, got, twin)
		}
		seen[got] = name
	}
}

func TestDigestOfOthers(t *testing.T) {
	p := newPolicy(t, digested())
	wider, err := p.WithAllowed("example.net", "example.edu")
	if err != nil || wider.Digest() == p.Digest() {
		t.Errorf("hosts for one run change nothing (%v)", err)
	}
	again, err := p.WithAllowed("example.edu", "example.net")
	if err != nil || again.Digest() != wider.Digest() {
		t.Errorf("the order of hosts for one run changes the digest (%v)", err)
	}
	if same, err := p.WithAllowed("example.com"); err != nil || same.Digest() != p.Digest() {
		t.Errorf("a host that is allowed anyway changes the digest (%v)", err)
	}
	if FloorOnly().Digest() == newPolicy(t, Settings{}).Digest() {
		t.Error("the floor alone has the digest of a policy that allows nothing")
	}
	for _, none := range []*Policy{nil, {}} {
		if none.Digest() != "" {
			t.Error("no policy has a digest")
		}
	}
}
