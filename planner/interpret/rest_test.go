package interpret

import (
	"strings"
	"testing"

	"errand/planner/plan"
)

// TestRestOfSentenceIsNeverSearched adds another request after each search of the stock. Its
// words never become a part of a query.
func TestRestOfSentenceIsNeverSearched(t *testing.T) {
	in := newInterpreter(t)
	rests := map[string][]string{
		"en": {
			" and tell me the zebraprice", ", sort by rating and give me the zebraprice", ". Provide the zebraprice.", ", and summarize the zebraprice",
			" and let me know the zebraprice",
		},
		"ru": {" и скажи мне зебровуюцену", ". Отсортируй по зебровойцене.", " и сравни зебровуюцену", " и поставь лайк зебровойцене"},
	}
	added := 0
	for _, text := range acting(t, in) {
		goals := goalsOf(in, text)
		last := goals[len(goals)-1]
		if last.GoalType != plan.BrowserSearch || last.OnPage() || strings.ContainsAny(text[len(text)-1:], ".!?\"'»”") {
			continue
		}
		for _, rest := range rests[in.Read(text).Language] {
			added++
			for _, g := range goalsOf(in, text+rest) {
				if strings.Contains(g.Query, "zebra") || strings.Contains(g.Query, "зебр") {
					t.Errorf("Read(%q) searches for %q", text+rest, g.Query)
				}
			}
		}
	}
	if added < 1000 {
		t.Errorf("only %d sentences", added)
	}
}
