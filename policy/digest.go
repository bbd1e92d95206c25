package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// Digest implements [Decider]. It is the SHA-256, in hex, of everything that decisions
// depend on. It does not depend on the order of entries, on duplicates or on the
// reasons of rules. Of grants it covers what they allow, not who uses them.
func (p *Policy) Digest() string {
	if p == nil || !p.ready {
		return ""
	}
	s := p.settings
	rules := make([]string, 0, len(s.Rules))
	for _, r := range s.Rules {
		rules = append(rules, r.encode())
	}
	grants := make([]string, 0, len(p.grants))
	for _, g := range p.grants {
		grants = append(grants, g.encode())
	}
	kind := "policy"
	if p.floor {
		kind = "floor"
	}
	loads := s.Subresources
	if loads == "" {
		loads = "public"
	}
	sum := sha256.Sum256([]byte(join(
		"errand policy 1", kind, loads, set(s.AllowedDomains), set(s.AllowPrivate), set(s.UserGoalTools), set(rules), set(grants),
	)))
	return hex.EncodeToString(sum[:])
}

// set joins texts sorted and without duplicates.
func set(texts []string) string {
	sorted := slices.Clone(texts)
	slices.Sort(sorted)
	return join(slices.Compact(sorted)...)
}

// join writes each text after its length, so that different lists give different
// results.
func join(texts ...string) string {
	var b []byte
	for _, t := range texts {
		b = binary.AppendUvarint(b, uint64(len(t)))
		b = append(b, t...)
	}
	return string(b)
}
