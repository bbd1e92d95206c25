package suggest

import (
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/named"
)

const languagesPage = "../../../docs/languages.md"

// TestThirdLanguage reads the example of the page as a language beside the
// others. Texts in any of them are understood, answered and completed in their
// own.
func TestThirdLanguage(t *testing.T) {
	_, example, _ := strings.Cut(readPage(t), "## A third language")
	_, example, _ = strings.Cut(example, "```toml\n")
	example, _, _ = strings.Cut(example, "```")
	var third lexicon.Pack
	must.Succeed(t, toml.Unmarshal([]byte(example), &third))
	all, err := lexicon.Packs()
	must.Succeed(t, err)
	cat := catalogue.Default()
	v, err := lexicon.New(cat, append(all, third))
	must.Succeed(t, err)
	in, err := interpret.New(cat, interpret.Options{Words: v})
	must.Succeed(t, err)
	suggester := New(in)

	for _, tt := range []struct{ text, want, language string }{
		{"öffne youtube und suche katzen", "browser_navigate browser_search", "de"},
		{"bitte suche nach katzen auf wikipedia", "browser_search", "de"},
		{"erstelle ordner Berichte in meinen dokumenten", "file_operation", "de"},
		{"wie spät ist es?", "system_query", "de"},
		{"open youtube and search cats", "browser_navigate browser_search", "en"},
		{"открой ютуб", "browser_navigate", "ru"},
		{"what is the reason of life", "", "en"},
		{"what was the time", "", "en"}, // German «was» asks, English "was" does not
		{"wie hoch ist der everest", "", "de"},
	} {
		r := in.Read(tt.text)
		var got []string
		for _, g := range r.Goals.Goals {
			got = append(got, string(g.GoalType))
		}
		if strings.Join(got, " ") != tt.want || r.Language != tt.language {
			t.Errorf("%q is %s %q in %q (%s), want %q in %q", tt.text, r.Status, got, r.Language, r.Reason, tt.want, tt.language)
		}
	}
	for _, tt := range []struct{ prefix, lang, want string }{
		{"", "de", "öffne youtube"},
		{"öffne y", "en", "öffne youtube"},
		{"suche katzen auf wi", "", "suche katzen auf wikipedia"},
		{"o", "en", "open youtube"},
		{"ö", "de", "öffne youtube"},
	} {
		if got := suggester.Complete(tt.prefix, tt.lang, 5); !slices.Contains(got, tt.want) {
			t.Errorf("Complete(%q, %q) = %q, want %q among them", tt.prefix, tt.lang, got, tt.want)
		}
	}
	if got := suggester.Nearest("spiele jazz", 1); !slices.Equal(got, []string{"spiele jazz auf youtube"}) {
		t.Errorf("near to “spiele jazz” is %q", got)
	}
	if got := in.Read("suche").Questions; len(got) != 1 || got[0].Question.Code != "question.query" {
		t.Errorf("“suche” is answered with %v", got)
	}
	if got := named.FindRecipe(in.Parse("bitte starte mein Rezept namens Morgen")); !slices.Equal(got, []string{"Morgen"}) {
		t.Errorf("the recipe's name is %q, want Morgen", got)
	}
}

func readPage(t *testing.T) string {
	t.Helper()
	return string(must.ReadFile(t, languagesPage))
}
