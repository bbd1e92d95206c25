package plancheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/app/plancheck"
	"errand/build/must"
)

// TestFaultsOfAFile is what a tester reads who made a mistake: the line, the
// case, the field, and what was probably meant.
func TestFaultsOfAFile(t *testing.T) {
	const head = "[[case]]\nname = \"x\"\ntext = \"open youtube\"\n"
	tests := []struct {
		name, file, doc string
		want            []string // lines of the error, without the folder
	}{
		{"an unknown field", "a.toml", head + "[case.expect]\nacton = 1\n", []string{`a.toml:5: case 1 "x": expect.acton: unknown field; did you mean "actions"?`}},
		{"nothing near", "a.toml", head + "colour = 1\n[case.expect]\nactions = 1\n", []string{`a.toml:4: case 1 "x": colour: unknown field; known ones are call, capabilities, expect, goals, name, problem, text, url, world`}},
		{"a wrong word", "a.toml", head + "[case.expect]\nstatus = \"succes\"\n", []string{`a.toml:5: case 1 "x": expect.status: "succes" is not one of success, partial, already_satisfied, blocked, no_capability; did you mean "success"?`}},
		{"a text for a number", "a.toml", head + "[case.expect]\nactions = \"1\"\n", []string{`a.toml:5: case 1 "x": expect.actions: this is the text "1"; it must be a whole number, 0 or more`}},
		{"a half", "a.toml", head + "[case.expect]\nactions = 1.5\n", []string{`a.toml:5: case 1 "x": expect.actions: this is the number 1.5; it must be a whole number, 0 or more`}},
		{"a text for a list", "a.toml", head + "[case.expect]\ntools = \"a\"\n", []string{`a.toml:5: case 1 "x": expect.tools: this is the text "a"; it must be a list of texts`}},
		{"a list for a text", "a.toml", head + "[case.expect]\nverdict = [\"ask\"]\n", []string{`a.toml:5: case 1 "x": expect.verdict: this is a list; it must be a text`}},
		{"half a pair", "a.toml", head + "[case.expect]\ndepends_on = [[\"a\"]]\n", []string{`a.toml:5: case 1 "x": expect.depends_on[0]: 1 texts; it must be a pair [needed tool, tool]`}},
		{"in a world", "a.toml", head + "world = { browser_runing = true, running_apps = \"x\" }\n[case.expect]\nactions = 1\n", []string{
			`a.toml:4: case 1 "x": world.browser_runing: unknown field; did you mean "browser_running"?`,
			`a.toml:4: case 1 "x": world.running_apps: this is the text "x"; it must be a list of texts`,
		}},
		{"in goals", "a.toml", "[[case]]\nname = \"x\"\ngoals = [\n  { goal_type = \"browser_serch\", qery = \"a\" },\n  { query = \"b\" },\n]\n[case.expect]\nactions = 1\n", []string{
			`a.toml:4: case 1 "x": goals[0].goal_type: "browser_serch" is not one of browser_search, browser_navigate, app_launch, file_operation, system_query, system_control, page_control; did you mean "browser_search"?`,
			`a.toml:4: case 1 "x": goals[0].qery: unknown field; did you mean "query"?`,
			`a.toml:5: case 1 "x": goals[1].goal_type: missing`,
		}},
		{"in tools", "a.toml", head + "capabilities = [{ nme = \"t\" }]\n[case.expect]\nactions = 1\n", []string{
			`a.toml:4: case 1 "x": capabilities[0].nme: unknown field; did you mean "name"?`,
			`a.toml:4: case 1 "x": capabilities[0].name: missing`,
		}},
		{"tools that are elsewhere", "a.toml", head + "capabilities = \"none.json\"\n[case.expect]\nactions = 1\n", []string{`a.toml:4: case 1 "x": capabilities: none.json does not exist`}},
		{"no name", "a.toml", "[[case]]\ntext = \"a\"\n[case.expect]\nactions = 1\n", []string{`a.toml:1: case 1 "": name: missing`}},
		{"one name for two", "a.toml", head + "[case.expect]\nactions = 1\n" + head + "[case.expect]\nactions = 1\n", []string{`a.toml:7: case 2 "x": name: the case at line 1 has the same name`}},
		{"nothing is expected", "a.toml", head, []string{`a.toml:1: case 1 "x": expect: nothing is expected; name at least one of interpretation, goals, status, unmet, actions, tools, args, depends_on, verdict, rule`}},
		{"nothing to plan", "a.toml", "[[case]]\nname = \"x\"\n[case.expect]\nactions = 1\n", []string{`a.toml:1: case 1 "x": give exactly one of text, goals, problem, call and url, not 0`}},
		{"two things to plan", "a.toml", head + "problem = { goal = [\"a\"] }\ncapabilities = []\n[case.expect]\nactions = 1\n", []string{`a.toml:1: case 1 "x": give exactly one of text, goals, problem, call and url, not 2`}},
		{"a problem without tools", "a.toml", "[[case]]\nname = \"x\"\nproblem = { goal = [\"a\"] }\n[case.expect]\nactions = 1\n", []string{`a.toml:1: case 1 "x": capabilities: a case with problem needs its own list of tools`}},
		{"a problem has no verdict", "a.toml", "[[case]]\nname = \"x\"\nproblem = { goal = [\"a\"] }\ncapabilities = []\n[case.expect]\nverdict = \"ask\"\n", []string{`a.toml:5: case 1 "x": expect: a case with problem can't expect interpretation, goals or verdict`}},
		{"outside of a case", "a.toml", "[[cases]]\nname = \"x\"\n", []string{`a.toml:1: cases: unknown field; did you mean "case"?`}},
		{"one pair of brackets", "a.toml", "[case]\nname = \"x\"\n", []string{`a.toml:1: case: this is one table; it must be a list of them: [[case]] or [{ … }]`}},
		{"a heading too short", "a.toml", head + "[expect]\nactions = 1\n", []string{`a.toml:4: expect: unknown field; it belongs to a case: [case.expect] below [[case]]`}},
		{"no heading", "a.toml", "text = \"x\"\n", []string{`a.toml:1: text: unknown field; it belongs to a case: put it below [[case]]`}},
		{"below the wrong heading", "a.toml", head + "[case.expect]\nactions = 1\nworld = {}\n", []string{`a.toml:6: case 1 "x": expect.world: unknown field; it belongs to the case: put it above [case.expect]`}},
		{"no case", "a.toml", "# nothing\n", []string{`a.toml: it has no case; start one with [[case]]`}},
		{"not TOML", "a.toml", head + "actions = \n", []string{`a.toml:4: `}},

		{"JSON has lines too", "a.json", "{\"case\": [\n  {\"name\": \"x\",\n   \"text\": \"a\",\n   \"expect\": {\n     \"acton\": 1}}]}", []string{`a.json:5: case 1 "x": expect.acton: unknown field; did you mean "actions"?`}},
		{"nothing, in JSON", "a.json", "{\"case\": [{\"name\": \"x\", \"text\": \"a\",\n\"expect\": {\"actions\": null}}]}", []string{`a.json:2: case 1 "x": expect.actions: this is null; it must be a whole number, 0 or more`}},
		{"twice, in JSON", "a.json", "{\"case\": [{\"name\": \"x\",\n\"name\": \"y\"}]}", []string{`a.json:2: case[0].name: given twice`}},
		{"not JSON", "a.json", "{\"case\": [\n{\"name\": x}]}", []string{`a.json:2: invalid character 'x' looking for beginning of value`}},
		{"cut off JSON", "a.json", "{\"case\": [\n{\"name\": \"x\"}", []string{`a.json:2: `}},
		{"more than JSON", "a.json", "{\"case\": []}\n{}", []string{`a.json:2: more than one JSON value`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			must.Succeed(t, os.WriteFile(tt.file, []byte(tt.doc), 0o666))
			_, err := plancheck.Read(tt.file)
			if err == nil {
				t.Fatal("read without an error")
			}
			got := strings.Split(i18n.English().Error(err), "\n")
			if len(got) != len(tt.want) {
				t.Fatalf("got  %q\nwant %q", got, tt.want)
			}
			for i := range got {
				if open := strings.HasSuffix(tt.want[i], ": "); got[i] != tt.want[i] && !(open && strings.HasPrefix(got[i], tt.want[i])) {
					t.Errorf("line %d:\n got %s\nwant %s", i+1, got[i], tt.want[i])
				}
			}
		})
	}
}

// TestFaultsOfToolFiles: the fault is in the other file, and both are named.
func TestFaultsOfToolFiles(t *testing.T) {
	dir := t.TempDir()
	for name, doc := range map[string]string{
		"a.toml":     "[[case]]\nname = \"x\"\ntext = \"a\"\ncapabilities = \"tools.json\"\n[case.expect]\nactions = 1\n",
		"tools.json": "[\n  {\"name\": \"t\",\n   \"efects\": []}\n]",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(doc), 0o666))
	}
	_, err := plancheck.Read(filepath.Join(dir, "a.toml"))
	for _, want := range []string{"a.toml:4: case 1", `tools.json:3: efects: unknown field; did you mean "effects"?`} {
		if err == nil || !strings.Contains(strings.ReplaceAll(i18n.English().Error(err), "[0].", ""), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}
