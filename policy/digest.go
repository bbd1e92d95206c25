package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// Digest is the SHA-256, in hex, of everything by which the policy decides: an
// approval binds to it, so that one which was given under other rules is none.
// Settings that decide alike in another order or with entries repeated have the
// same one, in every process and on every machine; a rule's reason decides
// nothing. Grants are in it as what they allow, whoever uses them. A policy that
// denies everything because it is none has no digest.
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

// set writes texts without order and without repetition.
func set(texts []string) string {
	sorted := slices.Clone(texts)
	slices.Sort(sorted)
	return join(slices.Compact(sorted)...)
}

// join writes texts so that no two lists of them give the same: each after
// its length.
func join(texts ...string) string {
	var b []byte
	for _, t := range texts {
		b = binary.AppendUvarint(b, uint64(len(t)))
		b = append(b, t...)
	}
	return string(b)
}
