package recipe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/planner/plan"
)

// typing are the tools of a page with fields.
var typing = append([]tool.Spec{
	spec("browser.fill", tool.Write, `{"type":"object","properties":{"locator":{"type":"object"},"value":{"type":"string","writeOnly":true}},"required":["locator","value"]}`),
}, tools...)

// fillInto is a step that types a value into the field of a label.
func fillInto(label, value string) string {
	return "[[step]]\ntool = \"browser.fill\"\nargs = { locator = { label = \"" + label + "\" }, value = \"" + value + "\" }\n"
}

// TestSecretsOfAPlan: what a plan refers to in place of secrets, and what its
// words tell of what was given.
func TestSecretsOfAPlan(t *testing.T) {
	for _, c := range []struct {
		name, params, label, value string
		typed, words               string
		want                       tool.Secrets
	}{
		{"declared", "[params.v]\ntype = \"secret\"\n", "Remark", "{v}", "{{secret:v}}", "recipe r", tool.Secrets{"v": "s3same"}},
		{"declared, in a text", "[params.v]\ntype = \"secret\"\n", "Remark", "it is {v}.", "it is {{secret:v}}.", "recipe r", tool.Secrets{"v": "s3same"}},
		{"not secret", "[params.v]\n", "Remark", "{v}", "s3same", "recipe r v=s3same", tool.Secrets{}},
		{"into a password", "[params.v]\n", "Password", "{v}", "{{secret:v}}", "recipe r", tool.Secrets{"v": "s3same"}},
		{"into a password, in a text", "[params.v]\n", "Password", "x-{v}", "x-{{secret:v}}", "recipe r", tool.Secrets{"v": "s3same"}},
		{"of the recipe itself", "[params.v]\n", "Password", "hunter2", "{{secret:a1-value}}", "", tool.Secrets{"a1-value": "hunter2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := head + c.params + fillInto(c.label, c.value)
			if c.words == "" {
				file += fillInto("Remark", "{v}")
			}
			p, secrets, err := bound(t, file, map[string]string{"v": "s3same"}, false)
			must.Succeed(t, err)
			if got := p.Actions()[0].Args["value"]; got != c.typed {
				t.Errorf("types %q", got)
			}
			if d := cmp.Diff(c.want, secrets); d != "" {
				t.Errorf("secrets (-want +got):\n%s", d)
			}
			if words := p.Content().Inputs.RawText; c.words != "" && words != c.words {
				t.Errorf("words %q", words)
			}
		})
	}
}

func bound(t *testing.T, file string, values map[string]string, unsaid bool) (plan.Plan, tool.Secrets, error) {
	t.Helper()
	r, err := Read("r.toml", []byte(file))
	must.Succeed(t, err)
	risk := func(tool.Spec) plan.RiskLevel { return plan.Low }
	return r.Plan(Binding{Values: values, Origin: plan.UserGoal, Specs: typing, Risk: risk, AllowMissingSecrets: unsaid})
}

// TestSecretThatIsMissing is one only where something is carried out.
func TestSecretThatIsMissing(t *testing.T) {
	file := head + "[params.v]\ntype = \"secret\"\n" + fillInto("Remark", "{v}")
	p, _, err := bound(t, file, nil, true)
	if err != nil || p.Actions()[0].Args["value"] != "{{secret:v}}" {
		t.Errorf("to be looked at: %v", err)
	}
	if _, _, err := bound(t, file, nil, false); err == nil || !strings.Contains(i18n.English().Error(err), "r.toml:3: the secret v is missing") {
		t.Errorf("to be carried out: %v", err)
	}
}
