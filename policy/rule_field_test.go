package policy

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"errand/build/must"
	"errand/planner/plan"
)

// fieldExample is a rule that uses one field, a request that the field matches and
// one that differs in this field only.
type fieldExample struct {
	toml    string // of the field
	rule    Rule   // as it is read
	other   Rule   // with another value of the field
	matches Request
	misses  Request
	miss    string // what Explain says about it
}

// fieldExamples has an entry for each field of a rule that restricts it. The rules
// also have tool = "mail.*", so that a near miss is one.
var fieldExamples = map[string]fieldExample{
	"tool": {
		toml: `tool = "mail.send"`, rule: Rule{Tool: "mail.send"}, other: Rule{Tool: "mail.read"},
		matches: Request{Tool: "mail.send"}, misses: Request{Tool: "mail.read"}, miss: "is for the tool mail.send",
	},
	"effect": {
		toml: `effect = "commit"`, rule: Rule{Effect: "commit"}, other: Rule{Effect: "input"},
		matches: Request{Effect: "commit"}, misses: Request{Effect: "input"}, miss: "is for the effect commit, not input",
	},
	"origin": {
		toml: `origin = "agent"`, rule: Rule{Origin: "agent"}, other: Rule{Origin: "mcp"},
		matches: Request{Origin: plan.Agent}, misses: Request{Origin: plan.MCP}, miss: "is for the origin agent, not mcp",
	},
	"host": {
		toml: `host = "a.example"`, rule: Rule{Host: "a.example"}, other: Rule{Host: "b.example"},
		matches: Request{Effect: "navigate", Args: map[string]any{"url": "https://a.example/"}},
		misses:  Request{Effect: "navigate", Args: map[string]any{"url": "https://b.example/"}}, miss: "is for the host a.example",
	},
	"args": {
		toml: `args = { "/to" = "ann" }`, rule: Rule{Args: map[string]string{"/to": "ann"}}, other: Rule{Args: map[string]string{"/to": "bob"}},
		matches: Request{Args: map[string]any{"to": "ann"}}, misses: Request{Args: map[string]any{"to": "bob"}}, miss: `wants /to = "ann", not "bob"`,
	},
	"exact": {
		toml: `exact = true`, rule: Rule{Exact: true}, other: Rule{},
		matches: Request{}, misses: Request{Args: map[string]any{"to": "ann"}}, miss: "allows no other arguments",
	},
	"until": {
		toml: `until = 2027-01-01T00:00:00Z`, rule: Rule{Until: drawnTime}, other: Rule{Until: drawnTime.Add(time.Second)},
		matches: Request{At: drawnTime.Add(-1)}, misses: Request{At: drawnTime}, miss: "ended at 2027-01-01T00:00:00Z",
	},
}

// TestRuleFields checks the table of fields: each is a key of the configuration, and each that
// restricts a rule is matched, explained, digested and shown.
func TestRuleFields(t *testing.T) {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Rule]()) {
		keys = append(keys, f.Tag.Get("toml"))
	}
	var rows []string
	for _, f := range ruleFields {
		rows = append(rows, f.key)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(keys)), slices.Sorted(slices.Values(rows))); diff != "" {
		t.Fatalf("the fields of Rule and ruleFields (-Rule +ruleFields):\n%s", diff)
	}
	for _, f := range ruleFields {
		if f.role == outcome || f.role == comment { // TestDigest, TestRules
			continue
		}
		t.Run(f.key, func(t *testing.T) {
			e, ok := fieldExamples[f.key]
			if !ok {
				t.Fatal("fieldExamples has no example")
			}
			var read Rule
			if err := toml.NewDecoder(strings.NewReader(e.toml)).DisallowUnknownFields().Decode(&read); err != nil || !cmp.Equal(read, e.rule) {
				t.Errorf("%s is read as %+v (%v), want %+v", e.toml, read, err, e.rule)
			}
			prepare := func(r Rule) *Policy {
				r.Verdict = Ask
				if r.Tool == "" {
					r.Tool = "mail.*"
				}
				return newPolicy(t, Settings{AllowedDomains: []string{"a.example", "b.example"}, Rules: []Rule{r}})
			}
			p := prepare(e.rule)
			call := func(r Request) Request {
				if r.Class == "" {
					r.Class = "read"
				}
				if r.Tool == "" {
					r.Tool = "mail.send"
				}
				return r
			}
			if d := p.Decide(call(e.matches)); d.Rule != "rules[0]" {
				t.Errorf("the rule doesn't match %+v: %+v", e.matches, d)
			}
			if d := p.Decide(call(e.misses)); d.Rule == "rules[0]" {
				t.Errorf("the rule matches %+v", e.misses)
			}
			q := &question{Request: call(e.misses), targets: listTargets(new(call(e.misses)))}
			if got := p.rules[0].listMisses(q); len(got) != 1 || english(got[0]) != e.miss {
				t.Errorf("a miss is explained by %q, want %q", got, e.miss)
			}
			if prepare(e.other).Digest() == p.Digest() {
				t.Errorf("%+v and %+v have one digest: an approval under one would hold under the other", e.rule, e.other)
			}
			if shown := len(e.rule.Conditions()) > 0; shown != (f.role != term) {
				t.Errorf("conditions %v", e.rule.Conditions())
			}
		})
	}
}

// TestRuleFieldsInDocument checks that the table in docs/policy.md has the fields' descriptions.
// UPDATE=1 writes it.
func TestRuleFieldsInDocument(t *testing.T) {
	const document = "../docs/policy.md"
	text := must.ReadFile(t, document)
	table := regexp.MustCompile("(?m)(^\\| `verdict` .*\n)(^\\|.*\n)+").FindString(string(text))
	if table == "" {
		t.Fatalf("%s has no table of a rule's fields", document)
	}
	var want strings.Builder
	for _, f := range ruleFields {
		fmt.Fprintf(&want, "| `%s` | %s |\n", f.key, f.doc)
	}
	if table == want.String() {
		return
	}
	if os.Getenv("UPDATE") != "" {
		must.Succeed(t, os.WriteFile(document, []byte(strings.Replace(string(text), table, want.String(), 1)), 0o644))
		return
	}
	t.Errorf("%s (-document +fields; UPDATE=1 writes it):\n%s", document, cmp.Diff(table, want.String()))
}
