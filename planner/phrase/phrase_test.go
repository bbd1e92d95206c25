package phrase_test

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/planner/message"
	"errand/planner/phrase"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{ // pieces, or what the error says
		{"shout {text}", "shout|{text}"},
		{"  say   {text}  very loud ", "say|{text}|very loud"},
		{"крикни {text} в {place-2}", "крикни|{text}|в|{place-2}"},
		{"what's up", "what's up"},
		{"re-read {n}", "re-read|{n}"},
		{"", "it is empty"},
		{"   ", "it is empty"},
		{"{text} loud", "begins with a slot"},
		{"shout {a} {b}", `"a" and "b" need a word`},
		{"shout {a} and {a}", `"a" is used twice`},
		{"shout {a", `"{a" is not a slot`},
		{"shout a}", `"a}" is not a slot`},
		{"shout {}", `"{}" is not a slot`},
		{"shout {a}{b}", `"{a}{b}" is not a slot`},
		{"shout {a}!", `"{a}!" is not a slot`},
		{"shout {{secret:x}}", "is not a slot"},
		{"shout {a b}", "is not a slot"},
		{"shout, {a}", `"shout,"`},
		{"-shout {a}", `"-shout"`},
		{"sh--out {a}", `"sh--out"`},
		{"shout- {a}", `"shout-"`},
		{"~/x {a}", `"~/x"`},
		{"shоut {a}", "two alphabets"}, // with a Russian о
		{"shout\t{a}", "control character"},
		{"shout\n{a}", "control character"},
		{"shout \u202e{a}", "changes the direction"},
		{"shout\u200b {a}", "invisible"},
		{"shout \xff", "control character"},
		{"a {b} c {d} e {f} g {h} i {j} k {l}", "6 slots; the limit is 5"},
		{strings.Repeat("word ", 50), "250 bytes; the limit is 200"},
	} {
		pieces, err := phrase.Parse(tt.text)
		got := ""
		if err != nil {
			got = i18n.English().Text(message.FromError(err))
		}
		var parts []string
		for _, p := range pieces {
			if p.Slot != "" {
				p.Words = "{" + p.Slot + "}"
			}
			parts = append(parts, p.Words)
		}
		if err == nil && strings.Join(parts, "|") != tt.want || err != nil && !strings.Contains(got, tt.want) {
			t.Errorf("%q: %q, %s; want %q", tt.text, parts, got, tt.want)
		}
	}
}
