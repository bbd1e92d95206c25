package find

import (
	"testing"

	"errand/policy/rulefile"
)

// TestEndsAreShort: endsWith looks at no longer ends of names.
func TestEndsAreShort(t *testing.T) {
	lists := []rulefile.Words{terms().Harmless, terms().FieldWords}
	for _, n := range terms().Names {
		lists = append(lists, n.Ends)
	}
	for _, words := range lists {
		for word := range words {
			if len(word) > longestEnd || !endsWith("my"+word, words) {
				t.Errorf("the end %q of a name is not found", word)
			}
		}
	}
}
