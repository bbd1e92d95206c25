package price_test

import (
	"math"
	"testing"

	"errand/host/llm"
	"errand/host/llm/price"
)

func TestCost(t *testing.T) {
	own := price.NewTable([]price.Price{{Model: "gpt-4.1-mini", Input: 1, Output: 2}, {Model: "llama3.1:8b-instruct"}, {Model: "gpt-4o-2024-05-13", Input: 5, Output: 15}})
	for _, tt := range []struct {
		name  string
		table price.Table
		model string
		usage llm.Usage
		want  int64
		known bool
	}{
		{"built-in", price.Table{}, "gpt-4.1-mini", llm.Usage{In: 1_000_000, Out: 1_000_000}, 2_000_000, true},
		{"with a date", price.Table{}, "gpt-4.1-mini-2025-04-14", llm.Usage{In: 100, Out: 10}, 56, true},
		{"with a short date", price.Table{}, "claude-3-5-sonnet-20241022", llm.Usage{In: 1, Out: 1}, 18, true},
		{"the latest", price.Table{}, "claude-3-5-sonnet-latest", llm.Usage{Out: 2}, 30, true},
		{"rounded up", price.Table{}, "gpt-4.1-mini", llm.Usage{In: 1}, 1, true},
		{"another model with a longer name", price.Table{}, "gpt-4.1-mini-audio", llm.Usage{In: 1}, 0, false},
		{"the user's price", own, "gpt-4.1-mini-2025-04-14", llm.Usage{In: 1, Out: 1}, 3, true},
		{"the user's price of one date", own, "gpt-4o-2024-05-13", llm.Usage{In: 1}, 5, true},
		{"another date keeps the built-in price", own, "gpt-4o-2024-11-20", llm.Usage{In: 4}, 10, true},
		{"for nothing", own, "llama3.1:8b-instruct", llm.Usage{In: 1000, Out: 1000}, 0, true},
		{"unknown", own, "mistral", llm.Usage{In: 1000}, 0, false},
		{"no model", own, "", llm.Usage{In: 1000}, 0, false},
		{"more than there is", own, "gpt-4.1-mini", llm.Usage{In: math.MaxInt, Out: math.MaxInt}, 1 << 52, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, known := tt.table.Cost(tt.model, tt.usage); got != tt.want || known != tt.known {
				t.Errorf("cost = %d, %v, want %d, %v", got, known, tt.want, tt.known)
			}
		})
	}
}

// TestDefaultModels checks that the models that Errand asks by default have prices, with a day.
func TestDefaultModels(t *testing.T) {
	for _, model := range []string{"gpt-4.1-mini", "claude-3-5-sonnet-latest"} {
		if p, ok := (price.Table{}).Find(model); !ok || p.Input <= 0 || p.Output < p.Input || p.Day.Year < 2024 {
			t.Errorf("%s: %+v", model, p)
		}
	}
}
