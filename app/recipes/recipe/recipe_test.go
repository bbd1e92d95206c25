package recipe

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/planner/plan"
)

func spec(name string, class tool.SideEffectClass, schema string) tool.Spec {
	s := tool.Spec{Name: name, ArgsSchema: json.RawMessage(schema), SideEffectClass: class}
	switch {
	case strings.HasSuffix(name, ".assert"):
		s.Page = tool.ChecksPage
	case strings.HasPrefix(name, "browser."):
		s.Page = tool.UsesPage
	}
	return s
}

func navigating(name, schema string) tool.Spec {
	s := spec(name, tool.Write, schema)
	s.Effect = tool.EffectNavigate
	return s
}

// tools stand for those of a program.
var tools = []tool.Spec{
	navigating("browser.open", `{"type":"object","properties":{"url":{"type":"string","format":"uri"},"max":{"type":"integer"}},"required":["url"]}`),
	spec("browser.click", tool.Write, `{"type":"object","properties":{"locator":{"type":"object"}},"required":["locator"]}`),
	spec("browser.results", tool.Read, `{"type":"object","properties":{"max":{"type":"integer","maximum":100}}}`),
	spec("browser.assert", tool.Read, `{"type":"object","properties":{"url":{"type":"string"}}}`),
	spec("files.create_file", tool.Write, `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"mode":{"enum":["text","list"]}},"required":["path"]}`),
}

const head = "schema = 1\nname = \"r\"\n"

func opens(url string) string {
	return "[[step]]\ntool = \"browser.open\"\nargs = { url = \"" + url + "\" }\n"
}

func clicks(locator, role string) string {
	return "[[step]]\ntool = \"browser.click\"\nargs = { locator = " + locator + " }\ntarget = { role = \"" + role + "\" }\n"
}

// TestFaults says everything that is wrong with a recipe at once, with lines.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"no TOML", "schema = \n", []string{"r.toml:1: "}},
		{"nothing", "", []string{"r.toml: schema is missing", "r.toml: name is missing", "r.toml: the recipe has no [[step]]"}},
		{"another version", "schema = 2\nname = \"r\"\n[[step]]\ntool = \"browser.results\"\n", []string{"r.toml:1: schema 2 is not supported"}},
		{"a name that is no file's", "schema = 1\nname = \"../r\"\n[[step]]\ntool = \"browser.results\"\n", []string{"r.toml:2: name \"../r\""}},
		{
			"many at once",
			head + "descripton = \"x\"\n[params.q]\ntype = \"text\"\n[params.unused]\n[[step]]\ntool = \"browser.opne\"\nargs = { url = \"{q}\" }\n[[step]]\nargs = { url = \"{r}\" }\ndepends_on = [\"a9\"]\n",
			[]string{
				"r.toml:3: unknown key \"descripton\"; did you mean \"description\"?",
				"r.toml:5: type \"text\" is not one of string, int, bool, url, path",
				"r.toml:6: no step uses the parameter \"unused\"",
				"r.toml:8: there is no tool \"browser.opne\"; did you mean \"browser.open\"?",
				"r.toml:10: step a2 has no tool",
				"r.toml:11: there is no parameter \"r\"; did you mean {q}?",
				"r.toml:12: depends_on: no step before this one has the id \"a9\"",
			},
		},
		{
			"tools and arguments",
			head + "[[step]]\ntool = \"browser.opne\"\n[[step]]\ntool = \"browser.open\"\nargs = { uri = \"https://example.com/\", max = \"x\" }\n[[step]]\ntool = \"files.create_file\"\n[step.args]\npath = \"/x\"\nmode = \"tree\"\n",
			[]string{
				"r.toml:4: there is no tool \"browser.opne\"; did you mean \"browser.open\"?",
				"r.toml:7: browser.open: at \"/max\": got string, want integer",
				"r.toml:7: browser.open: missing argument \"url\"",
				"r.toml:7: browser.open: unknown argument \"uri\"",
				"r.toml:12: files.create_file: at \"/mode\": value must be one of 'text', 'list'",
			},
		},
		{"a target without an element", head + "[[step]]\ntool = \"files.create_file\"\nargs = { path = \"/x\" }\ntarget = { role = \"button\" }\n", []string{"r.toml:6: files.create_file has no locator"}},
		{"an empty target", head + "[[step]]\ntool = \"browser.click\"\nargs = { locator = {} }\n[step.target]\n", []string{"r.toml:6: target is empty"}},
		{"two of one id", head + "[[step]]\nid = \"x\"\ntool = \"browser.results\"\n[[step]]\nid = \"x\"\ntool = \"browser.results\"\n", []string{"r.toml:7: two steps have the id \"x\""}},
		{"a default of another type", head + "[params.n]\ntype = \"int\"\ndefault = \"5\"\n[[step]]\ntool = \"browser.results\"\nargs = { max = \"{n}\" }\n", []string{"r.toml:5: default: 5 is not a whole number"}},
		{"a bad pattern", head + "[params.n]\npattern = \"(\"\n[[step]]\ntool = \"files.create_file\"\nargs = { path = \"{n}\" }\n", []string{"r.toml:4: pattern: error parsing regexp"}},
		{
			"the file and its steps", head + "x = 1\n[params.n]\ntype = \"whole\"\n[[step]]\ntool = \"browser.open\"\nargs = { url = \"{m}\", max = \"{n}\", uri = 1 }\n",
			[]string{
				"r.toml:3: unknown key \"x\"",
				"r.toml:5: type \"whole\" is not one of",
				"r.toml:8: there is no parameter \"m\"; did you mean {n}?",
				"r.toml:8: browser.open: unknown argument \"uri\"",
			},
		},
		{
			"addresses that nothing opens",
			head + "[params.q]\n" + opens("file:///etc/passwd") + opens(" JavaScript:alert({q})") + opens("about:blank") + opens("data:text/html,{q}") +
				opens("localhost:8080/{q}") + opens("example.com/a:b") + opens("{q}") + opens("HTTPS://example.com/") +
				"[[step]]\ntool = \"browser.assert\"\nargs = { url = \"*://x:8080/*\" }\n",
			[]string{
				"r.toml:6: browser.open: url begins with file:, which policy never allows; give an http or https address",
				"r.toml:9: browser.open: url begins with javascript:, which policy never allows",
				"r.toml:12: browser.open: url begins with about:, which policy never allows",
				"r.toml:15: browser.open: url begins with data:, which policy never allows",
			},
		},
		{
			"roles that are none",
			head + clicks("{ role = \"buton\" }", "button") + clicks("{ css = \"a\", within = { role = \"x\" } }", "lnk") + clicks("{ role = \"img\" }", "StaticText") + clicks("{ role = \"doc-chapter\" }", "treeitem"),
			[]string{
				"r.toml:5: role: there is no role \"buton\"; did you mean \"button\"?",
				"r.toml:9: role: there is no role \"x\": give an ARIA role, such as button, link or textbox",
				"r.toml:10: role: there is no role \"lnk\"; did you mean \"link\"?",
			},
		},
		{"a date", head + "[[step]]\ntool = \"files.create_file\"\nargs = { path = 2026-01-01 }\n", []string{"r.toml:5: 2026-01-01 is not allowed in arguments"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Audit("r.toml", []byte(c.file), tools, "")
			var faults *Error
			if !errors.As(err, &faults) {
				t.Fatalf("says %v", err)
			}
			got := lines(faults)
			ok := len(got) == len(c.want)
			for i := 0; ok && i < len(got); i++ {
				ok = strings.HasPrefix(got[i], c.want[i])
			}
			if !ok {
				t.Errorf("(-want +got):\n%s", cmp.Diff(c.want, got))
			}
		})
	}
}

const invoice = head + `
[params.query]
default = "tea & cake"
[params.count]
type = "int"
default = 3
[params.all]
type = "bool"
default = false
[params.file]
type = "path"
[params.month]
default = "2026-01"
pattern = '[0-9]{4}-[0-9]{2}'

[[step]]
tool = "browser.open"
args = { url = "https://example.com/find/{month}?q={query}" }
[[step]]
tool = "browser.click"
args = { locator = { role = "button", name = "Show {query}, {{query}} or {x y}" } }
target = { role = "button", name = "Show", host = "example.com" }
[[step]]
id = "rows"
tool = "browser.results"
args = { max = "{count}" }
target = { host = "example.com" }
[[step]]
tool = "files.create_file"
args = { path = "{file}", content = "{count} of {month}: {all}" }
depends_on = []
`

func bind(t testing.TB, text string, values map[string]string) (plan.Plan, error) {
	t.Helper()
	r, err := Read("r.toml", []byte(text))
	must.Succeed(t, err)
	p, _, err := r.Plan(Binding{
		Values: values, Origin: plan.UserGoal, Specs: tools, Path: func(p string) string { return "/home/ann/" + strings.TrimPrefix(p, "/home/ann/") },
		Risk: func(tool.Spec) plan.RiskLevel { return plan.Low },
	})
	return p, err
}

// TestPlan fills in parameters: as text, as a number or a truth value where they
// stand alone, percent-encoded in an address, and as a path where they are one.
func TestPlan(t *testing.T) {
	p, err := bind(t, invoice, map[string]string{"file": "x.txt", "count": "7", "month": "2026-03"})
	must.Succeed(t, err)
	type action struct {
		ID, Tool string
		Args     map[string]any
		Needs    []string
	}
	var got []action
	for _, a := range p.Actions() {
		got = append(got, action{a.ActionID, a.Tool, a.Args, a.DependsOn})
	}
	want := []action{
		{"a1", "browser.open", map[string]any{"url": "https://example.com/find/2026-03?q=tea%20%26%20cake"}, []string{}},
		{"a2", "browser.click", map[string]any{"locator": map[string]any{
			"role": "button", "name": "Show tea & cake, {query} or {x y}",
			"is": map[string]any{"role": "button", "name": "Show", "host": "example.com"},
		}}, []string{"a1"}},
		{"rows-at", "browser.assert", map[string]any{"url": "*://example.com/*"}, []string{"a2"}},
		{"rows", "browser.results", map[string]any{"max": 7.0}, []string{"rows-at"}},
		{"a4", "files.create_file", map[string]any{"path": "/home/ann/x.txt", "content": "7 of 2026-03: false"}, []string{}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := bind(t, invoice, map[string]string{"month": "2026-03", "count": "7", "file": "x.txt"})
	if err != nil || again.Digest() != p.Digest() {
		t.Errorf("the same values give another plan: %v", err)
	}
	other, err := bind(t, invoice, map[string]string{"month": "2026-04", "count": "7", "file": "x.txt"})
	if err != nil || other.Digest() == p.Digest() || other.ID() == p.ID() {
		t.Errorf("another value gives the same plan: %v", err)
	}
}

func TestBadValues(t *testing.T) {
	for _, c := range []struct {
		name   string
		values map[string]string
		want   []string
	}{
		{"missing", nil, []string{"r.toml:12: parameter file is missing: give it with --param file=…"}},
		{
			"wrong, unknown and missing",
			map[string]string{"count": "many", "all": "perhaps", "mont": "2026-03", "month": "march"},
			[]string{
				`r.toml: there is no parameter "mont"; did you mean "month"?`, `r.toml:6: parameter count: "many" is not a whole number`,
				`r.toml:9: parameter all: "perhaps" is neither true nor false`, "r.toml:12: parameter file is missing: give it with --param file=…",
				`r.toml:14: parameter month: "march" does not match the pattern [0-9]{4}-[0-9]{2}`,
			},
		},
		{"too many for the tool", map[string]string{"file": "x", "count": "1000"}, []string{`r.toml:28: browser.results: at "/max": maximum: got 1000, want 100`}},
		{"half a pattern", map[string]string{"file": "x", "month": "2026-03 or so"}, []string{`r.toml:14: parameter month: "2026-03 or so" does not match the pattern [0-9]{4}-[0-9]{2}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := bind(t, invoice, c.values)
			var faults *Error
			if !errors.As(err, &faults) {
				t.Fatalf("says %v", err)
			}
			if diff := cmp.Diff(c.want, lines(faults)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFromRun makes a recipe of a run: what the words gave becomes parameters, refs
// become names, and braces stay what they are.
func TestFromRun(t *testing.T) {
	r, err := FromRun("tea", Texts{"search for tea", "в записи нет"}, []Slot{{"query", String, "tea & cake", false}, {"count", Int, 5, false}, {"page", URL, "https://elsewhere.example/", false}}, []DoneStep{
		{ID: "a1", Tool: "browser.open", Args: map[string]any{"url": "https://example.com/?q=tea%20%26%20cake&n=5"}, Preview: "Search for “tea & cake”"},
		{ID: "a2", Tool: "browser.click", DependsOn: []string{"a1"}, Args: map[string]any{"locator": map[string]any{"ref": "s1e4"}}, Role: "button", Name: "Next {page}", Host: "example.com", Preview: "Click"},
		{ID: "a3", Tool: "browser.results", DependsOn: []string{"a2"}, Args: map[string]any{"max": 5.0, "nth": 5.0}},
		{ID: "a4", Tool: "files.create_file", Args: map[string]any{"path": "/x", "content": "[redacted:own:12ab]"}},
	}, nil)
	must.Succeed(t, err)
	b, err := r.TOML()
	must.Succeed(t, err)
	got, err := Read("tea.toml", b)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	want := &Recipe{
		Name: "tea", Description: "search for tea",
		Params: []Param{{Name: "content", Type: String, Description: "в записи нет"}, {Name: "count", Type: Int, Default: 5}, {Name: "query", Type: String, Default: "tea & cake"}},
		Steps: []Step{
			{ID: "a1", Tool: "browser.open", Args: map[string]any{"url": "https://example.com/?q={query}&n=5"}, DependsOn: []string{}},
			{ID: "a2", Tool: "browser.click", Description: "Click", Args: map[string]any{"locator": map[string]any{"role": "button", "name": "Next {{page}}", "exact": true}}, DependsOn: []string{"a1"}, Target: &Target{"button", "Next {page}", "example.com"}},
			{ID: "a3", Tool: "browser.results", Args: map[string]any{"max": "{count}", "nth": 5.0}, DependsOn: []string{"a2"}},
			{ID: "a4", Tool: "files.create_file", Args: map[string]any{"path": "/x", "content": "{content}"}, DependsOn: []string{}},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Recipe{})); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, b)
	}
}

// FuzzRead holds reading to its word: a file is refused with a reason, or what
// it says can be written and read again, and is the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(invoice))
	f.Add([]byte(head + "[[step]]\ntool = \"browser.results\"\n"))
	f.Add([]byte(head + "[[step]]\ntool = \"x\"\nargs = { a = [1, {b = \"{{c}}\"}, 1.5, true] }\ntarget = { host = \"h\" }\n"))
	f.Add([]byte(head + "[[step]]\ntool = \"browser.open\"\nargs = { url = \"{a}:{b}\", locator = { role = [\"{c}\"] } }\n"))
	f.Add([]byte("schema = 1\nparams = 3\nstep = [1]\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _ = Audit("r.toml", file, tools, "r") // of whatever can't be read, too
		r, err := Read("r.toml", file)
		if err != nil {
			var faults *Error
			if !errors.As(err, &faults) || len(faults.Lines()) == 0 {
				t.Fatalf("no reason: %v", err)
			}
			return
		}
		b, err := r.TOML()
		must.Succeed(t, err)
		again, err := Read("r.toml", b)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		byName := cmpopts.SortSlices(func(a, b Param) bool { return a.Name < b.Name })
		if diff := cmp.Diff(r, again, cmpopts.IgnoreUnexported(Recipe{}), byName, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-read +again):\n%s", diff)
		}
		_ = r.Check(tools)
		_, _, _ = r.Plan(Binding{Origin: plan.Upload, Specs: tools, Risk: func(tool.Spec) plan.RiskLevel { return plan.Low }})
	})
}

// FuzzEscaped: a text that was escaped means itself, with any parameters.
func FuzzEscaped(f *testing.F) {
	for _, s := range []string{"", "{a}", "{{a}}", "a{b", "}{a}}", "{a}{b}", "{{{a}}}", "{A}", "{ a }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := fillIn(escapePlaceholders(s), map[string]any{"a": "X", "b": "Y"}); got != s {
			t.Errorf("%q became %q by way of %q", s, got, escapePlaceholders(s))
		}
	})
}

// lines are the faults in English.
func lines(e *Error) []string {
	var out []string
	for _, m := range e.Lines() {
		out = append(out, i18n.English().Text(m))
	}
	return out
}

// TestNamesOfOneAlphabet: a name whose words have letters of two alphabets could be mistaken
// for another recipe's.
func TestNamesOfOneAlphabet(t *testing.T) {
	for name, want := range map[string]bool{
		"videos": true, "видео": true, "youtube-видео": true, "мои_videos-2": true, "ёлка": true, "2day": true,
		"vidеos": false, "сlips": false, "my-vidеos": false, "утрo": false, "мои_vidеos": false, "a1а": false, "-x": false, "": false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
