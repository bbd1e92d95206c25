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
		if e.Kind != (ModelNote{}).Kind() {
			continue
		}
		var n ModelNote
		b, err := json.Marshal(e.Data)
		if err != nil || json.Unmarshal(b, &n) != nil {
			continue
		}
		asked = true
		if n.Failure != "" || n.Status != 200 {
			continue
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
	return u, asked
}
