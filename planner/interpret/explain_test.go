package interpret

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret/parse"
)

func TestEvidence(t *testing.T) {
	r := newInterpreter(t).Read("please open yotube, and search  Lofi  Beats!")
	want := []Evidence{
		{GoalID: "g1", Slot: "goal_type", Start: 7, End: 11, Words: "open"},
		{GoalID: "g1", Slot: "target", Start: 12, End: 18, Words: "yotube", Corrected: true},
		{GoalID: "g2", Slot: "goal_type", Start: 24, End: 30, Words: "search"},
		{GoalID: "g2", Slot: "query", Start: 32, End: 43, Words: "Lofi  Beats"},
	}
	if diff := cmp.Diff(want, r.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if q := r.Goals.Goals[1].Query; q != "Lofi Beats" {
		t.Errorf("query = %q, want white space collapsed", q)
	}
}

func TestExplain(t *testing.T) {
	x := newInterpreter(t).Explain("open youtube and frobnicate")
	var clauses, leftovers []string
	for _, c := range x.Clauses {
		clauses = append(clauses, c.Frame+" "+c.Outcome+": "+c.Words)
	}
	for _, l := range x.Leftovers {
		leftovers = append(leftovers, l.Words)
	}
	if diff := cmp.Diff([]string{"open asks: open youtube and frobnicate"}, clauses); diff != "" {
		t.Errorf("clauses (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"frobnicate"}, leftovers); diff != "" {
		t.Errorf("leftovers (-want +got):\n%s", diff)
	}
	if !slices.Contains(x.Tokens[1].Phrases, "site:youtube") {
		t.Errorf("phrases of %q = %q", x.Tokens[1].Words, x.Tokens[1].Phrases)
	}
}

// TestEveryTextIsExplained: whatever kind of command a text has, its steps can be
// shown, and a clause that is understood says of which kind it is.
func TestEveryTextIsExplained(t *testing.T) {
	in := newInterpreter(t)
	seen := map[string]bool{}
	for _, name := range corpora {
		for _, u := range shortUtterances(t, "testdata/"+name+".txt") {
			for _, c := range in.Explain(u.text).Clauses {
				seen[c.Frame] = true
				if c.Outcome == outcomes[parse.Understood] && c.Frame == "" && !c.Negated {
					t.Errorf("Explain(%q): %q is understood, and of no kind", u.text, c.Words)
				}
			}
		}
	}
	if len(seen) != int(parse.FrameCount) {
		t.Errorf("kinds of clauses %v, want all %d", seen, parse.FrameCount)
	}
}

func TestQuestions(t *testing.T) {
	in := newInterpreter(t)
	tests := []struct {
		text, want string // a part of the question and the values of its choices
		choices    []string
	}{
		{"open youtube or gmail", "Which one do you mean?", []string{"youtube", "gmail"}},
		{"search cats on youtube or google", "Which one", []string{"youtube", "google"}},
		{"delete report", `Is "report" a file or a folder?`, []string{"folder", "file"}},
		{"open flibbertigibbet", `I don't know "flibbertigibbet"`, []string{`search the web for "flibbertigibbet"`, "flibbertigibbet.com"}},
		{"open teleg", `I don't know "teleg"`, []string{"telegram", `search the web for "teleg"`, "teleg.com"}},
		{"open wikpdia", `I don't know "wikpdia"`, []string{"wikipedia", `search the web for "wikpdia"`, "wikpdia.com"}},
		{"открой инстагр", `Не понимаю слова «инстагр»`, []string{"инстаграм", "найди в интернете «инстагр»"}},
		{"search", "What should I search for?", []string{}},
		{"открой ютуб или гмейл", "Что из этого?", []string{"ютуб", "гмейл"}},
		{"создай папку", "Как назвать?", []string{}},
		{"delete", "Which file or folder should I delete?", []string{}},
		{"delete folder documents", "I never delete ~/Documents itself. Which file or folder should I delete, and where is it?", []string{}},
		{"delete the desktop", "I never delete ~/Desktop itself. Which file or folder should I delete, and where is it?", []string{}},
		{"delete my downloads folder", "I never delete ~/Downloads itself. Which file or folder should I delete, and where is it?", []string{}},
		{"удали рабочий стол", "Саму папку ~/Desktop я не удаляю", []string{}},
		{"удали папку документы", "Саму папку ~/Documents я не удаляю. Какой файл или какую папку удалить и где это лежит?", []string{}},
		{"get rid of the folder", "Which file or folder should I delete?", []string{}},
		{"удали", "Какой файл или какую папку удалить?", []string{}},
		{"delte notes.txt", `Did you really mean "delete notes.txt"?`, []string{"yes", "no"}},
		{"open gmail and frobnicate", `"frobnicate"`, []string{"leave_out"}},
		{"delete folder temp except the logs", `"except the logs"`, []string{}},
		{"delete notes.txt, close the door", `"close the door"`, []string{}},
		{"create a.txt and delete a.txt", "contradict each other", []string{"create", "delete"}},
		{"open youtube and don't open youtube", "contradict each other", []string{"do", "dont"}},
		{"youtube music", "What should I do with YouTube Music?", []string{"open", "search"}},
		{"nvidia stock", `What should I do with "nvidia stock"?`, []string{`search the web for "nvidia stock"`}},
		{"nvidia", `What should I do with "nvidia"?`, []string{`search the web for "nvidia"`, "nvidia.com"}},
		{"gihub", `What should I do with "gihub"?`, []string{`search the web for "gihub"`, "gihub.com", "github"}},
		{"смешные котики", "Что сделать с запросом «смешные котики»?", []string{"найди в интернете «смешные котики»"}},
		{"notepad", "What should I do with", []string{"open"}},
		{"Сделать скриншот гитхаба?", `Точно имелось в виду «Сделать скриншот гитхаба»?`, []string{"yes", "no"}},
		{"search cats on youtube and show the first 9999 results", "I can list 1 to 100 rows", []string{"100"}},
		{"search cats on youtube and show 0 results", "I can list 1 to 100 rows", []string{}},
		{"read me the first 3 headlines of bbc", `can't tell "first 3 headlines" from the rest`, []string{"list the first 3 links on https://bbc.com/", "read https://bbc.com/"}},
		{"открой хабр и покажи 5 статей", `не отличить «5 статей»`, []string{"перечисли первые 5 ссылок на https://habr.com/", "прочитай https://habr.com/"}},
		{"open github and save it to documents", "How should I save the page", []string{"as a pdf", "as a picture"}},
		{"delete notes.txt or todo.txt", "Which one", []string{"notes.txt", "todo.txt"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			r := in.Read(tt.text)
			if r.Status != Ambiguous {
				t.Fatalf("status %s, want ambiguous", r.Status)
			}
			q := r.Questions[0]
			values := []string{}
			for _, c := range q.Choices {
				values = append(values, c.Value)
			}
			if !strings.Contains(i18n.ForTag(r.Language).Text(q.Question), tt.want) || q.ID == "" || !cmp.Equal(values, tt.choices) {
				t.Errorf("question %+v, want %q with choices %q", q, tt.want, tt.choices)
			}
		})
	}
}

// TestReasons: who asks for what no page is gets told what can be asked for.
func TestReasons(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string]string{
		"take a screenshot of notepad": "pictures of web pages and of the whole screen",
		"сделай скриншот блокнота":     "снимаю веб-страницы и весь экран",
		"make a pdf of my thesis":      "PDF documents of web pages only",
		"read my mail":                 "can't look into your mail",
		"прочитай мою почту":           "не смотрю в вашу почту",
		"read me the horoscope aloud":  "read web pages and text files",
		"download the movie":           "needs an address",
		"open javascript:alert(1)":     "Only http and https",
		"rename a to b":                "its new name, for example: rename",
		"frobnicate the gizmo":         "don't know how to do that",
	} {
		if r := in.Read(text); r.Status != Unsupported || !strings.Contains(i18n.ForTag(r.Language).Text(r.Reason), want) {
			t.Errorf("Read(%q): %s, %q, want %q", text, r.Status, r.Reason, want)
		}
	}
}

func TestOptions(t *testing.T) {
	cat := newInterpreter(t).cat
	in, err := New(cat, Options{DefaultPlatform: "duckduckgo"})
	must.Succeed(t, err)
	for text, want := range map[string]string{"search cats": "duckduckgo", "search the web for cats": "duckduckgo", "search youtube for cats": "youtube"} {
		if got := finish(in, in.Read(text))[0].Platform; got != want {
			t.Errorf("platform of %q = %q, want %q", text, got, want)
		}
	}
	if _, err := New(cat, Options{DefaultPlatform: "discord"}); err == nil || !strings.Contains(i18n.English().Error(err), `"discord"`) {
		t.Errorf("New with a site that can't be searched: %v", err)
	}
}

func TestOwnCatalogue(t *testing.T) {
	cat, err := catalogue.New([]catalogue.Site{{
		ID: "wiki", Aliases: []string{"team wiki", "вики"},
		Home: "https://wiki.example.com/", Search: "https://wiki.example.com/find?q={query}",
	}}, []catalogue.App{{ID: "notes", Aliases: []string{"my notes"}, Exec: []string{"gnome-text-editor"}}})
	must.Succeed(t, err)
	in, err := New(cat, Options{})
	must.Succeed(t, err)
	for text, want := range map[string]string{
		"search the team wiki for onboarding":     "s:wiki:onboarding",
		"open team wiki and search onboarding":    "s:wiki:onboarding",
		"найди на вики отпуск":                    "s:wiki:отпуск",
		"open my notes and the team wiki":         "a:notes + n:https://wiki.example.com/",
		"go to wiki.example.com":                  "n:https://wiki.example.com/",
		"search wikipedia for cats on team sport": "s:wikipedia:cats on team sport",
	} {
		r := in.Read(text)
		if got := short(r, finish(in, r)); got != want {
			t.Errorf("Read(%q) = %s (%s), want %s", text, got, r.Reason, want)
		}
	}
}

// TestUnusedWords: a question about words that no rule used shows where they stand.
func TestUnusedWords(t *testing.T) {
	in := newInterpreter(t)
	for text, want := range map[string]string{
		"find cheap flights to rome and tell me the price": "find cheap flights to rome and |tell me the price|",
		"please open gmail and frobnicate, thanks":         "please open gmail and |frobnicate|, thanks",
		"open frobnicate": "open |frobnicate|",
		"найди на озоне чайник, отсортируй по цене": "найди на озоне чайник, |отсортируй по цене|",
		"delete folder temp except the logs":        "delete folder |temp except the logs|",
		"search":                                    "",
	} {
		r := in.Read(text)
		got := ""
		if u := r.Questions[0].Unused; u != nil {
			got = u.Before + "|" + u.Words + "|" + u.After
		}
		if got != want {
			t.Errorf("Read(%q) strikes %q, want %q", text, got, want)
		}
	}
}
