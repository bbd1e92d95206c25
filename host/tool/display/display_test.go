package display_test

import (
	"strings"
	"testing"

	"errand/host/tool/display"
)

// TestParse: a description that would show a hole or nothing is refused, and the
// error names the tool and the text.
func TestParse(t *testing.T) {
	const title = `title = { en = "List" }` + "\n"
	for name, tt := range map[string]struct{ doc, want string }{
		"good":                       {title + `summary = [{ args = ["a", "b"], text = { en = "{b} in {a}", de = "{a}: {b}" } }]`, ""},
		"an unknown key":             {title + `sumary = []`, "strict mode"},
		"no title":                   {`view = { kind = "page" }`, "x.y: title has no English text"},
		"a title with a hole":        {`title = { en = "List {a}" }`, `title: the text in "en" has the parameters [a], want []`},
		"a summary of nothing":       {title + `summary = [{ text = { en = "x" } }]`, "a summary names no arguments"},
		"a summary without argument": {title + `summary = [{ args = ["a"], text = { en = "{a}", de = "x" } }]`, `the summary of [a]: the text in "de" has the parameters [], want [a]`},
		"an unknown view":            {title + `view = { kind = "video" }`, `view: there is no kind "video"`},
		"a list without a key":       {title + `view = { kind = "list", label = "text" }`, `view: a view of kind "list" and the key ""`},
		"a text with a label":        {title + `view = { kind = "text", key = "text", label = "x" }`, `view: a view of kind "text" and the label "x"`},
		"a phrase of another value":  {title + `view = { kind = "phrase", key = "k", phrases = { time = { ru = "{date}" } } }`, `the phrase of time: the text in "ru" has the parameters [date], want [time]`},
		"not found without {sought}": {title + `not_found = { en = "x" }`, `not_found: the text in "en" has the parameters [], want [sought]`},
	} {
		t.Run(name, func(t *testing.T) {
			tools, err := display.Parse([]byte(`["x.y"]` + "\n" + tt.doc))
			switch {
			case tt.want == "" && (err != nil || tools["x.y"].Title["en"] != "List"):
				t.Errorf("%+v, %v", tools, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestFill: a value is never taken for a text with parameters.
func TestFill(t *testing.T) {
	got := display.Fill("{a} in {b} of {c}", map[string]string{"a": "{b}", "b": "%s"})
	if want := "{b} in %s of {c}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
