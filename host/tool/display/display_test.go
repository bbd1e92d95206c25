package display_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool/display"
	"errand/planner/message"
)

// TestParse: a description that would show nothing is refused, and the error names
// the tool.
func TestParse(t *testing.T) {
	for name, tt := range map[string]struct{ doc, want string }{
		"good":                   {`summary = [["a", "b"]]`, ""},
		"an unknown key":         {`sumary = []`, "strict mode"},
		"a summary of nothing":   {`summary = [[]]`, "x.y: a summary names no arguments"},
		"an unknown view":        {`view = { kind = "video" }`, `view: there is no kind "video"`},
		"a list without a key":   {`view = { kind = "list", label = "text" }`, `view: a view of kind "list" and the key ""`},
		"a text with a label":    {`view = { kind = "text", key = "text", label = "x" }`, `view: a view of kind "text" and the label "x"`},
		"a page without results": {"view = { kind = \"page\" }\nnot_found = true", `view: a view of kind "page" is never empty`},
	} {
		t.Run(name, func(t *testing.T) {
			tools, err := display.Parse([]byte(`["x.y"]` + "\n" + tt.doc))
			switch {
			case tt.want == "" && (err != nil || tools["x.y"].Title.Code != "tool.x.y.title"):
				t.Errorf("%+v, %v", tools, err)
			case tt.want != "" && (err == nil || !strings.Contains(i18n.English().Error(err), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestTexts: the codes of a tool's messages follow from its description.
func TestTexts(t *testing.T) {
	tools, err := display.Parse([]byte(`["x.y"]
summary = [["a", "b"], ["a"]]
view = { kind = "list", key = "k", label = "l" }
empty_part = true
not_found = true

["x.w"]
deletes = "made"

["x.z"]
view = { kind = "picture" }
`))
	must.Succeed(t, err)
	want := map[string][]string{
		"tool.x.y.title": nil, "tool.x.y.summary.a_and_b": {"a", "b"}, "tool.x.y.summary.a": {"a"},
		"tool.x.y.empty": nil, "tool.x.y.empty_part": nil, "tool.x.y.not_found": {"sought"},
	}
	if diff := cmp.Diff(want, tools["x.y"].Texts()); diff != "" {
		t.Errorf("x.y (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"tool.x.w.title": nil, "tool.x.w.summary.deleted": {"count", "more", "paths"}}, tools["x.w"].Texts()); diff != "" {
		t.Errorf("x.w (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"tool.x.z.title": nil, "tool.x.z.result": {"path"}}, tools["x.z"].Texts()); diff != "" {
		t.Errorf("x.z (-want +got):\n%s", diff)
	}
	got := tools["x.y"].Summarize([]string{"a"}, "a", "1")
	if want := message.New("tool.x.y.summary.a", "a", "1"); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
