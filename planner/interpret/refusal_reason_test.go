package interpret

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"errand/build/must"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/refusal"
)

// TestRefusals reads sentences that no goal expresses: each gets the answer or the refusal that
// fits it, in its language.
func TestRefusals(t *testing.T) {
	in := newInterpreter(t)
	for line := range strings.Lines(string(must.ReadFile(t, "testdata/refusals.txt"))) {
		text, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		r := in.Read(text)
		if r.Status != Unsupported || r.Reason.Code != want {
			t.Errorf("Read(%q) = %s, %s, want %s", text, r.Status, r.Reason.Code, want)
		}
		if isRussian := strings.ContainsAny(text, "аеиоу"); isRussian != (r.Language == "ru") {
			t.Errorf("Read(%q) answers in %q", text, r.Language)
		}
	}
}

// TestNotRefused reads neighbours of refused sentences that are goals, or no small talk.
func TestNotRefused(t *testing.T) {
	in := newInterpreter(t)
	for _, text := range []string{
		"open telegram", "search buy socks", "search amazon for a phone", "create a file named call.txt", "find how to print a pdf", "search youtube for funny jokes", "delete the file reminder.txt",
		"открой телеграм", "найди купить носки", "создай файл позвони.txt", "найди как распечатать пдф", "найди на ютубе анекдоты", "search you are awesome", "найди кто тебя создал",
	} {
		if r := in.Read(text); r.Status != OK {
			t.Errorf("Read(%q) is %s: %s", text, r.Status, r.Reason.Code)
		}
	}
}

// TestRefusalTexts looks at the texts of all refusals and answers that the language files name:
// there is one in each language, and its examples are understood.
func TestRefusalTexts(t *testing.T) {
	in := newInterpreter(t)
	example := regexp.MustCompile("(?:for example|например): ([^`]+?)[.]?$|(?:say|скажите) [“«]([^…”»]+)[”»]")
	packs, err := lexicon.Packs()
	must.Succeed(t, err)
	for _, p := range packs {
		var texts map[string]any
		must.Succeed(t, toml.Unmarshal(must.ReadFile(t, "../../app/i18n/"+p.Language+".toml"), &texts))
		for area, values := range map[string]map[string][]string{"other_goal": p.OtherGoals, "small_talk": p.SmallTalk} {
			for value := range values {
				isQuery := value == refusal.Searchable || value == refusal.SearchAbout || slices.Contains(refusal.ExplainedActions, value)
				if _, ok := texts[area].(map[string]any)[value]; !ok && !(area == "other_goal" && isQuery) {
					t.Errorf("%s.toml has no text %s.%s", p.Language, area, value)
				}
			}
		}
		for area, known := range map[string]map[string][]string{"other_goal": p.OtherGoals, "small_talk": p.SmallTalk} {
			for value := range texts[area].(map[string]any) {
				if len(known[value]) == 0 {
					t.Errorf("%s: no words lead to %s.%s", p.Language, area, value)
				}
			}
		}
		for action := range texts["how_to"].(map[string]any) {
			if action != refusal.Saving && !slices.Contains(refusal.ExplainedActions, action) {
				t.Errorf("%s: nothing leads to how_to.%s", p.Language, action)
			}
		}
		for _, area := range []string{"other_goal", "small_talk", "how_to", "reason"} {
			for code, text := range texts[area].(map[string]any) {
				m := example.FindStringSubmatch(text.(string))
				if m == nil || strings.Contains(m[1], "{") || code == "no_destination" || code == "no_working_folder" {
					continue
				}
				if r := in.Read(m[1] + m[2]); r.Status != OK {
					t.Errorf("%s: %s.%s: the example %q is %s: %s", p.Language, area, code, m[1]+m[2], r.Status, r.Reason.Code)
				}
			}
		}
	}
}
