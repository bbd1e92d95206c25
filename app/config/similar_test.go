package config

import (
	"slices"
	"testing"
)

func TestSimilarKeys(t *testing.T) {
	for _, tt := range []struct {
		name, key string
		want      []string
	}{
		{"a name without its table", "language", []string{"ui.language"}},
		{"a shortened name", "ui.lang", []string{"ui.language"}},
		{"a shortened name without its table", "lang", []string{"ui.language"}},
		{"a misspelt name", "ui.theem", []string{"ui.theme"}},
		{"a misspelt table", "polcy.rules", []string{"policy.rules"}},
		{"a singular", "policy.allowed_domain", []string{"policy.allowed_domains"}},
		{"a part of a name", "policy.domains", []string{"policy.allowed_domains"}},
		{"capitals and a dash", "UI.wake-words", []string{"ui.wake_words"}},
		{"the wrong table", "browser.parallel", []string{"run.parallel"}},
		{"a name of two tables", "requests", []string{"policy.budget.requests"}},
		{"a table", "store", []string{"store.retention_days"}},
		{"a table of several keys", "ui", []string{"ui.language", "ui.theme", "ui.wake_words"}},
		{"something else", "frobnicate", nil},
		{"nothing", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := SimilarKeys(tt.key); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
