package policy

import (
	"testing"
	"time"
)

// TestDigest: every setting is in the digest, and equal ones have equal digests.
func TestDigest(t *testing.T) {
	base := Settings{AllowedDomains: []string{"example.com"}, UserGoalTools: []string{"hash.*"}}
	digest := must(t, base).Digest()
	if len(digest) != 64 || digest != must(t, base.clone()).Digest() {
		t.Fatalf("digest %q is not the same for the same settings", digest)
	}
	for name, change := range map[string]func(*Settings){
		"a host":          func(s *Settings) { s.AllowedDomains = append(s.AllowedDomains, "example.org") },
		"a private place": func(s *Settings) { s.AllowPrivate = []string{"127.0.0.1:80"} },
		"subresources":    func(s *Settings) { s.Subresources = "listed" },
		"a tool":          func(s *Settings) { s.UserGoalTools = nil },
		"a rule":          func(s *Settings) { s.Rules = []Rule{{Verdict: Deny, Tool: "x"}} },
		"a rule's end": func(s *Settings) {
			s.Rules = []Rule{{Verdict: Deny, Tool: "x", Until: time.Unix(1, 0).UTC()}}
		},
	} {
		s := base.clone()
		change(&s)
		if got := must(t, s).Digest(); got == digest || got == "" {
			t.Errorf("%s changes nothing in the digest", name)
		}
	}
	if wider, err := must(t, base).WithAllowed("example.net"); err != nil || wider.Digest() == digest {
		t.Errorf("a host for one run: %v", err)
	}
	for _, none := range []*Policy{nil, {}} {
		if none.Digest() != "" {
			t.Error("no policy has a digest")
		}
	}
}
