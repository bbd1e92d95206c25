package trace

import (
	"encoding/json"
	"slices"
)

// ModelUse is what a run used of language models.
type ModelUse struct {
	Requests  int   `json:"requests"` // that were answered
	TokensIn  int   `json:"tokens_in"`
	TokensOut int   `json:"tokens_out"`
	Micros    int64 `json:"cost_microusd"` // of the requests that have a price, in millionths of a US dollar
	Unpriced  int   `json:"unpriced,omitempty"`
	// Models are "provider model", in the order in which they answered first.
	Models []string `json:"models"`
}

// ModelUseOf adds up the notes of models in a record. It returns false for a run that asked none.
func ModelUseOf(rec Record) (u ModelUse, asked bool) {
	for _, e := range rec.Events {
		n, ok := ModelNoteOf(e)
		if !ok {
			continue
		}
		asked = true
		u.Add(n)
	}
	return u, asked
}

// Add adds a request, if it was answered.
func (u *ModelUse) Add(n ModelNote) {
	if !n.IsAnswered() {
		return
	}
	u.Requests++
	u.TokensIn += n.TokensIn
	u.TokensOut += n.TokensOut
	u.Micros += n.CostMicros
	if !n.Priced {
		u.Unpriced++
	}
	if name := n.Provider + " " + n.Model; !slices.Contains(u.Models, name) {
		u.Models = append(u.Models, name)
	}
}

// ModelNoteOf returns the note of a model in an event.
func ModelNoteOf(e Event) (n ModelNote, ok bool) {
	if e.Kind != n.Kind() {
		return n, false
	}
	b, err := json.Marshal(e.Data)
	return n, err == nil && json.Unmarshal(b, &n) == nil
}

// IsAnswered reports whether the provider answered the request.
func (n ModelNote) IsAnswered() bool { return n.Failure == "" && n.Status == 200 }
