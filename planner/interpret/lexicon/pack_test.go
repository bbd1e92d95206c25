package lexicon

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/plan"
)

// TestLanguageFilesAreEqual makes sure that no language lacks a kind, except those
// that only English grammar has a use for.
func TestLanguageFilesAreEqual(t *testing.T) {
	all, err := Packs()
	must.Succeed(t, err)
	// Only English has gerunds after verbs, verbs around their object, and the commands of shells.
	const english = "lead_gerund searching searching_in searching_on opening going creating deleting mkdir touch rm rmdir up look_up site_end takes_up"
	// Only Russian tells a place to go to from one where something is by its case.
	const russian = "put_away to_place"
	for _, p := range all {
		for name := range kindNames() {
			if _, ok := p.Phrases[name]; !ok && (p.Language == firstLanguage || !slices.Contains(strings.Fields(english), name)) && (p.Language == "ru" || !slices.Contains(strings.Fields(russian), name)) {
				t.Errorf("%s: no phrases for %q", p.Language, name)
			}
		}
		for key, answer := range all[0].Answers {
			if p.Answers[key] == "" || !slices.Equal(parametersOf(p.Answers[key]), parametersOf(answer)) {
				t.Errorf("%s: the answer %q is %q, want the parameters of %q", p.Language, key, p.Answers[key], answer)
			}
		}
		for key := range all[0].PageActions {
			if len(p.PageActions[key]) == 0 {
				t.Errorf("%s: no words for the page action %q", p.Language, key)
			}
		}
		for key := range p.PageActions {
			if len(all[0].PageActions[key]) == 0 {
				t.Errorf("%s: %s has no page action %q", p.Language, all[0].Language, key)
			}
		}
		if missing := missingKeys(all[0].Controls, p.Controls); len(missing) > 0 {
			t.Errorf("%s: no words for the commands %q", p.Language, missing)
		}
		if more := missingKeys(p.Controls, all[0].Controls); len(more) > 0 {
			t.Errorf("%s: %s has no commands %q", p.Language, all[0].Language, more)
		}
		for _, action := range plan.FileActions() {
			if len(p.FileActions[action]) == 0 {
				t.Errorf("%s: no verbs for the file action %q", p.Language, action)
			}
		}
		for target := range all[0].System {
			if len(p.System[target].Keys) == 0 {
				t.Errorf("%s: no words for the system query %q", p.Language, target)
			}
		}
	}
}

// missingKeys lists the keys of a that b lacks.
func missingKeys(a, b map[string][]string) (missing []string) {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if len(b[key]) == 0 {
			missing = append(missing, key)
		}
	}
	return missing
}

// parametersOf lists the parameters of an answer.
func parametersOf(answer string) []string {
	all := regexp.MustCompile(`\{[a-z]+\}`).FindAllString(answer, -1)
	slices.Sort(all)
	return all
}

// TestLanguagesPageNamesEverything: whoever writes a language file reads one
// page, so every key is on it.
func TestLanguagesPageNamesEverything(t *testing.T) {
	b := must.ReadFile(t, "../../../docs/languages.md")
	page := string(b)
	var keys []string
	for name := range kindNames() {
		keys = append(keys, name)
	}
	for field := range reflect.TypeFor[Offers]().Fields() {
		keys = append(keys, field.Tag.Get("toml"))
	}
	keys = append(keys, "language", "script", "plain")
	for name := range Cases {
		keys = append(keys, name)
	}
	for _, key := range keys {
		if !strings.Contains(page, "`"+key+"`") {
			t.Errorf("docs/languages.md does not name %s", key)
		}
	}
	for _, table := range []string{"phrases", "page_actions", "file_actions", "file_kinds", "one_file_kinds", "folder_names", "own_folders", "places", "counts", "extensions", "spoken", "suffixes", "letters", "system.TARGET", "controls", "offers", "answers", "recipe"} {
		if !strings.Contains(page, "`["+table+"]`") {
			t.Errorf("docs/languages.md does not name [%s]", table)
		}
	}
}
