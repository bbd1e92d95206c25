package wordlist

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	for template, want := range map[string][]string{
		"plain":             {"plain"},
		"[the] (a|b)":       {"the a", "the b", "a", "b"},
		"час(|а|ов)":        {"час", "часа", "часов"},
		"set [a|the [new]]": {"set a", "set the new", "set the", "set"},
		"Ещё What's":        {"еще whats"},
		"[x]":               {"x"},
	} {
		if diff := cmp.Diff(want, Expand(template)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", template, diff)
		}
	}
}
