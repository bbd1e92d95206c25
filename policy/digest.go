package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is the SHA-256, in hex, of everything that the policy was made of: an
// approval binds to it, so that one which was given under other rules is none.
// A policy that denies everything because it is none has no digest.
func (p *Policy) Digest() string {
	if p == nil || !p.ready {
		return ""
	}
	b, err := json.Marshal(struct {
		Settings Settings
		Floor    bool
	}{p.settings, p.floor})
	if err != nil {
		return "" // matches nothing
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
