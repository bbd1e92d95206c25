package recipe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
)

const login = head + `description = "Log in"
[params.site]
type = "url"
description = "where"
[params.user]
pattern = '[a-z]+'
description = "who"
[params.word]
description = "of the day"
[params.pin]
type = "secret"
[params.count]
type = "int"
default = 3
[[step]]
id = "go"
tool = "browser.open"
args = { url = "{site}find?q={user}", max = "{count}" }
[[step]]
id = "who"
tool = "browser.fill"
description = "Say who"
args = { locator = { label = "User" }, value = "{user}" }
[[step]]
id = "word"
tool = "browser.fill"
args = { locator = { label = "What is it" }, value = "{word}" }
[[step]]
id = "pin"
tool = "browser.fill"
args = { locator = { label = "Password" }, value = "no {pin}" }
target = { role = "textbox", name = "Password", host = "example.com" }
`

// TestMadeOfARecipe: what a run did as its recipe says stays as it is there, with
// its parameters and their words; what a person changed is made anew. A value that
// turned out to be a secret is one from then on.
func TestMadeOfARecipe(t *testing.T) {
	was, err := Read("r.toml", []byte(login))
	must.Succeed(t, err)
	values := map[string]string{"site": "https://example.com/", "user": "ann", "word": "s3same", "pin": "1234"}
	p, secrets, err := bound(t, login, values, false)
	must.Succeed(t, err)
	told := WithoutSecrets(values, secrets)
	told["word"] = "[redacted:own:12ab]" // the field hid it
	var done []DoneStep
	for _, a := range p.Actions() {
		if a.ActionID == "word" {
			a.Args["value"] = "[redacted:own:12ab]"
		}
		if a.ActionID == "who" {
			a.Args["locator"] = map[string]any{"label": "Login"}
		}
		d := DoneStep{ID: a.ActionID, Tool: a.Tool, Args: a.Args, DependsOn: a.DependsOn, Preview: i18n.English().Text(a.Preview)}
		for _, s := range typing {
			if s.Name == a.Tool {
				d.Spec = s
			}
		}
		done = append(done, d)
	}
	b := must.JSON(t, was)
	recorded, err := DecodeRecorded(b)
	must.Succeed(t, err)
	slots := []Slot{{"site", String, "https://example.com/", true}, {"user", String, "ann", true}, {"query", String, "ann", false}}
	got, err := FromRun("again", Texts{Recipe: "recipe r"}, slots, done, &Source{Recipe: recorded, Values: told})
	must.Succeed(t, err)
	want := *was
	want.Name = "again"
	want.Params = append([]Param{}, was.Params...)
	want.Params[2].Type = Secret
	want.Steps = append([]Step{}, was.Steps...)
	want.Steps[1].Args = map[string]any{"locator": map[string]any{"label": "Login"}, "value": "{user}"}
	if diff := cmp.Diff(&want, got, cmpopts.IgnoreUnexported(Recipe{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFromRunWithSecrets: what the plan refers to, and what the record lacks, becomes
// a parameter of type secret where its tool takes one, called as the field is.
func TestFromRunWithSecrets(t *testing.T) {
	fill, list := typing[0], spec("browser.select", tool.Write, `{"type":"object","properties":{"locator":{},"values":{"type":"array","writeOnly":true}}}`)
	at := func(label string) map[string]any { return map[string]any{"label": label} }
	r, err := FromRun("in", Texts{"log in", "в записи нет"}, nil, []DoneStep{
		{ID: "a1", Tool: fill.Name, Spec: fill, Args: map[string]any{"locator": at("User"), "value": "{{secret:pin}} and {it}"}},
		{ID: "a2", Tool: fill.Name, Spec: fill, Args: map[string]any{"locator": at("Again"), "value": "{{secret:pin}}"}},
		{ID: "a3", Tool: fill.Name, Spec: fill, Args: map[string]any{"locator": at("Pass word"), "value": "{{secret:a3-value}}"}, Preview: "Type {{secret:a3-value}}"},
		{ID: "a4", Tool: fill.Name, Spec: fill, Args: map[string]any{"locator": at("Пароль"), "value": "[redacted:own:12ab]"}},
		{ID: "a5", Tool: list.Name, Spec: list, Args: map[string]any{"locator": at("Month"), "values": []any{"[redacted:own:12ab]", "x"}}},
		{ID: "a6", Tool: "browser.open", Args: map[string]any{"url": "https://example.com/[redacted:own:12ab]"}},
	}, nil)
	must.Succeed(t, err)
	params := []Param{
		{Name: "pin", Type: Secret},
		{Name: "pass_word", Type: Secret},
		{Name: "value", Type: Secret},
		{Name: "month", Type: Secret},
		{Name: "url", Type: String, Description: "в записи нет"},
	}
	if diff := cmp.Diff(params, r.Params); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
	want := []any{"{pin} and {{it}}", "{pin}", "{pass_word}", "{value}", []any{"{month}", "x"}}
	for i, s := range r.Steps[:5] {
		got := s.Args["value"]
		if i == 4 {
			got = s.Args["values"]
		}
		if diff := cmp.Diff(want[i], got); diff != "" || s.Description != "" {
			t.Errorf("step %s, %q (-want +got):\n%s", s.ID, s.Description, diff)
		}
	}
	if err := r.Check(append([]tool.Spec{list}, typing...)); err != nil {
		t.Error(err)
	}
}
