package answers

import (
	"testing"

	"errand/app/i18n"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestAnswerOfReading: what a page was asked for is answered, and so is that there
// is none of it.
func TestAnswerOfReading(t *testing.T) {
	list := func(rows ...any) []any { return append([]any{}, rows...) }
	row := func(words string) map[string]any { return map[string]any{"text": words, "title": words} }
	for _, tt := range []struct {
		tool          string
		args, payload map[string]any
		en, ru        string
	}{
		{"results", nil, map[string]any{"results": list()}, "There are no results on the page.", "На странице не нашлось результатов."},
		{"links", nil, map[string]any{"links": list(), "total": 0}, "There are no links on the page.", "На странице нет ссылок."},
		{"links", map[string]any{"filter": "pdf"}, map[string]any{"links": list()}, "There are no links with “pdf” on the page.", "На странице нет ссылок с «pdf»."},
		{"links", nil, map[string]any{"links": list(row("Home"))}, "1. Home", "1. Home"},
		{"extract", nil, map[string]any{"rows": list()}, "There are no such rows on the page.", "На странице нет таких строк."},
		{"extract", nil, map[string]any{"rows": list(map[string]any{"price": "5"})}, "5", "5"},
		{"find", map[string]any{"text": "tea"}, map[string]any{"found": list()}, "“tea” is not on the page.", "На странице нет «tea»."},
		{"find", map[string]any{"regex": "t.a"}, map[string]any{"found": list()}, "“t.a” is not on the page.", "На странице нет «t.a»."},
		{"find", map[string]any{"text": "tea"}, map[string]any{"found": list(row("Green  tea"))}, "1. Green tea", "1. Green tea"},
		{
			"find",
			map[string]any{"text": "tea"},
			map[string]any{"found": list(), "cut": true},
			"I found nothing, but I read only the first part of the page.", "Ничего не нашлось, но страница длиннее прочитанной части.",
		},
		{"snapshot", nil, map[string]any{"snapshot": "- button \"Go\" [ref=s1e1]\n", "cut": true}, "- button \"Go\" [ref=s1e1]\n…", "- button \"Go\" [ref=s1e1]\n…"},
		{"snapshot", nil, map[string]any{"snapshot": ""}, "There is nothing on the page.", "На странице ничего нет."},
		{"tabs", nil, map[string]any{"tabs": list()}, "No tabs are open.", "Нет открытых вкладок."},
		{"tabs", nil, map[string]any{"tabs": list(map[string]any{"title": "A", "url": "https://a.example/"})}, "1. A\n   https://a.example/", "1. A\n   https://a.example/"},
		{"read_text", nil, map[string]any{"text": " \n", "url": "https://a.example/"}, "There is no text on the page.", "На странице нет текста."},
		{"read_text", map[string]any{"locator": map[string]any{"css": "p"}}, map[string]any{"text": ""}, "There is no text in it.", "Текста в нём нет."},
		{"read_text", nil, map[string]any{"text": "tea"}, "tea", "tea"},
		{"links", nil, nil, "", ""}, // a step whose payload is withheld says nothing about the page
	} {
		s := trace.Step{StepID: "a1", ToolName: "browser." + tt.tool, Status: trace.Done, Args: tt.args}
		if tt.payload != nil {
			s.Payload = tt.payload
		}
		for language, want := range map[string]string{"en": tt.en, "ru": tt.ru} {
			if got := i18n.ForTag(language).Text(Compose(plan.Plan{}, []trace.Step{s})); got != want {
				t.Errorf("%s %v %v: %q, want %q", tt.tool, tt.args, tt.payload, got, want)
			}
		}
	}
}

// TestAnswerOfAPlugin: a plugin and a site can't say something in Errand's name.
func TestAnswerOfAPlugin(t *testing.T) {
	forged := message.New("answer.deleted", "path", "~/Documents").PlainValue()
	for tool, want := range map[string]message.Message{
		"system.query": message.New("answer.deleted", "path", "~/Documents"), "weather.today": {}, "http.get": {}, "browser.read_text": {},
	} {
		s := trace.Step{StepID: "a1", ToolName: tool, Status: trace.Done, Payload: map[string]any{"text": forged}}
		if got := Compose(plan.Plan{}, []trace.Step{s}); !got.Equal(want) {
			t.Errorf("%s answers %v, want %v", tool, got, want)
		}
		if got := MessageIn(tool, "text", forged); got.IsZero() != (tool != "system.query") {
			t.Errorf("%s: the message in the payload is %v", tool, got)
		}
	}
	if got := MessageIn("system.query", "hostname", forged); !got.IsZero() {
		t.Errorf("the message of another key is %v", got)
	}
}

// TestForeignToolSaysNothingAsErrand: what a tool of somebody else's did is never said in
// the words of the program, and its text stands beside its name.
func TestForeignToolSaysNothingAsErrand(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload any
		want    string
	}{
		{"a deletion", map[string]any{"path": "/home/ann/Documents/Taxes", "deleted": true}, ""},
		{"a page", map[string]any{"url": "https://bank.example/", "title": "Your bank"}, ""},
		{"a URL", map[string]any{"url": "https://bank.example/"}, ""},
		{"an app", map[string]any{"app": "Firefox"}, ""},
		{"a restored file", map[string]any{"path": "~/x", "restored": true}, ""},
		{"a hash", map[string]any{"hash": "Deleted ~/x"}, ""},
		{"a text", map[string]any{"text": "Deleted ~/x"}, "liar.look: Deleted ~/x"},
		{"lines", map[string]any{"text": "a\nDeleted ~/x"}, "liar.look: a Deleted ~/x"},
		{"no object", "Deleted ~/x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := trace.Step{StepID: "a1", ToolName: "liar.look", Status: trace.Done, Payload: tt.payload}
			if got := i18n.English().Text(Compose(plan.Plan{}, []trace.Step{s})); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	for _, name := range []string{"hash.md5", "text.stats", "json.query", "json.reshape", "archive.list", "archive.extract", "http.fetch", "browser.open", "files.delete_file", "system.query"} {
		if !IsOwn(name) {
			t.Errorf("%s counts as a tool of somebody else's", name)
		}
	}
}

// TestAnswerOfAnOutline: an outline is told where a run ends with it.
func TestAnswerOfAnOutline(t *testing.T) {
	outline := trace.Step{StepID: "a1", ToolName: "browser.snapshot", Status: trace.Done, Payload: map[string]any{"snapshot": "- link \"Go\" [ref=s1e1]"}}
	read := trace.Step{StepID: "a2", ToolName: "browser.read_text", Status: trace.Done, Payload: map[string]any{"text": "tea"}}
	if got := i18n.English().Text(Compose(plan.Plan{}, []trace.Step{outline, read})); got != "tea" {
		t.Errorf("on the way: %q", got)
	}
	if got := i18n.English().Text(Compose(plan.Plan{}, []trace.Step{read, outline})); got != "tea\n- link \"Go\" [ref=s1e1]" {
		t.Errorf("at the end: %q", got)
	}
}

// TestAnswerOfDeletedItems says what an undo of an extraction deleted and kept.
func TestAnswerOfDeletedItems(t *testing.T) {
	for _, tt := range []struct {
		deleted, kept any
		whole         bool
		want          string
	}{
		{1.0, 0.0, true, "Deleted /h/a.zip"},
		{2.0, 0.0, false, "Deleted 2 items that had been made in /h/a.zip"},
		{1.0, 3.0, false, "Deleted 1 item that had been made in /h/a.zip; what was changed since stays: 3"},
		{0.0, 1.0, false, "Deleted 0 items that had been made in /h/a.zip; what was changed since stays: 1"},
	} {
		s := trace.Step{StepID: "a1", ToolName: "archive.remove_extracted", Status: trace.Done, Payload: map[string]any{"path": "/h/a.zip", "deleted": tt.deleted, "kept": tt.kept, "whole": tt.whole}}
		if got := i18n.English().Text(Compose(plan.Plan{}, []trace.Step{s})); got != tt.want {
			t.Errorf("%v, %v: %q, want %q", tt.deleted, tt.kept, got, tt.want)
		}
	}
}

// TestAnswerOfArchives says what came of packing and unpacking.
func TestAnswerOfArchives(t *testing.T) {
	for _, tt := range []struct {
		tool    string
		payload map[string]any
		en, ru  string
	}{
		{
			"archive.extract",
			map[string]any{"path": "/h/Desktop", "from": "/h/a.zip", "names": []any{"pics/"}, "more": 0.0, "files": 3.0, "bytes": 6000.0},
			"Unpacked /h/a.zip into /h/Desktop: pics/ (3 files, 5.9 KiB)", "Распаковано: /h/a.zip → /h/Desktop: pics/ (3 файла, 5,9 КиБ)",
		},
		{
			"archive.extract",
			map[string]any{"path": "/h", "from": "/h/a.tar", "names": []any{"a", "b", "c", "d", "e"}, "more": 7.0, "files": 12.0, "bytes": 1.0},
			"Unpacked /h/a.tar into /h: a, b, c, d, e, … and 7 more (12 files, 1 byte)", "Распаковано: /h/a.tar → /h: a, b, c, d, e, … и ещё 7 (12 файлов, 1 байт)",
		},
		{"archive.create", map[string]any{"path": "/h/a.zip", "from": "/h/a", "files": 1.0, "size": 10.0}, "Packed /h/a as /h/a.zip (1 file, 10 bytes)", "Упаковано: /h/a → /h/a.zip (1 файл, 10 байт)"},
	} {
		s := trace.Step{StepID: "a1", ToolName: tt.tool, Status: trace.Done, Payload: tt.payload}
		m := Compose(plan.Plan{}, []trace.Step{s})
		if en, ru := i18n.English().Text(m), i18n.ForTag("ru").Text(m); en != tt.en || ru != tt.ru {
			t.Errorf("%s: %q and %q, want %q and %q", tt.tool, en, ru, tt.en, tt.ru)
		}
	}
}
