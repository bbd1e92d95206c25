package store

import "context"

// Usage counts the tokens of language models, by day. All programs that use the store add to the
// same counts.
type Usage interface {
	// AddUsage adds a request to the counts of its day and model.
	AddUsage(ctx context.Context, u ModelUsage) error
	// UsageOf lists the counts of a day, by provider and model.
	UsageOf(ctx context.Context, day string) ([]ModelUsage, error)
}

// ModelUsage is what requests to a model used on a day.
type ModelUsage struct {
	Day       string `json:"day"` // YYYY-MM-DD, of the user's clock
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	Requests  int    `json:"requests"`
	TokensIn  int64  `json:"tokens_in"`
	TokensOut int64  `json:"tokens_out"`
	// CostMicros is what it cost, in millionths of a US dollar, and Unpriced how many of the requests
	// had no price.
	CostMicros int64 `json:"cost_microusd"`
	Unpriced   int   `json:"unpriced,omitempty"`
}
