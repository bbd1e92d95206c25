package store

import (
	"encoding/json"
	"testing"
)

// TestFactAsJSON: the form of facts in answers is part of the contract.
func TestFactAsJSON(t *testing.T) {
	const want = `{"fact":"f","holds":false,"run_id":"","step_id":"","at":"0001-01-01T00:00:00Z","expires_at":"0001-01-01T00:00:00Z"}`
	if b, err := json.Marshal(Fact{Fact: "f"}); err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
}
