package main_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sentenceRooms are those whose errors, verdicts and forecasts the window shows.
// Each directory stands for itself, and not for those below it.
var sentenceRooms = []string{
	"app/replay", "app", "app/config", "app/doctor", "app/recipes", "app/recipes/recipe", "app/desktop", "app/desktop/view", "app/drafts", "app/grants", "app/history", "app/planning", "app/plugins", "app/plugins/author", "app/runs", "app/session", "app/setting", "app/undo",
	"host/browser/actions", "host/browser/address", "host/browser/chromium", "host/browser/document", "host/browser/locator", "host/browser/page", "host/browser/transfer",
	"host/files", "host/run", "host/store", "host/store/sqlite", "host/system", "host/tool", "host/tool/schema",
	"host/wasm", "host/wasm/engine", "host/wasm/extism", "host/wasm/fit", "host/wasm/hypermcp", "host/wasm/inspect", "host/wasm/install",
	"host/wasm/manifest", "host/wasm/rights",
	"policy", "policy/approval", "policy/guard",
}

// wordyRooms say some of the catalogue's, too: what is only theirs is not shown.
var wordyRooms = []string{
	"host/event", "host/trace", "host/wasm/pool", "host/wasm/stack", "planner", "planner/interpret", "planner/interpret/web", "planner/interpret/files", "planner/interpret/page", "planner/plan",
}

// commandFiles speak where only a command line asks: what makes, benches and
// tests plugins, what checks a machine's own ways out, what writes a record down.
var commandFiles = regexp.MustCompile(`^app/plugins/(place|author/(bench|trial|kit|args|report))\.go$|^app/session/own_browser\.go$|^app/doctor/egress(_site)?\.go$|^app/setting/(setting|recorder)\.go$|^host/wasm/(manifest/edit|engine/feature|extism/astray)\.go$|^policy/approval/validate\.go$`)

// saying are the functions whose first text with a blank in it is a sentence for
// a person.
var saying = []string{"Errorf", "Fail", "WithHint", "deny", "ask", "allow", "refuse", "fault", "note"}

// TestEverySentenceIsRussian: what the program says, as its source has it, is in
// the window's Russian catalogue, and each of the catalogue's is said.
func TestEverySentenceIsRussian(t *testing.T) {
	known := map[string]string{}
	files, err := filepath.Glob("frontend/src/words/ru/told/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogue: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sayings map[string]string
		if err := json.Unmarshal(b, &sayings); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for template, words := range sayings {
			if _, twice := known[template]; twice {
				t.Errorf("%s: %q is in another file, too", file, template)
			}
			known[template] = words
			checkHoles(t, file, template, words)
		}
	}
	said, n := map[string]bool{}, 0
	for _, template := range messagesOf(t, "planner/interpret/lexicon/lang/en.toml") {
		said[template] = true
		if _, ok := known[template]; !ok {
			t.Errorf("the grammar says %q, which frontend/src/words/ru/told does not have", template)
		}
	}
	for _, file := range displayFiles {
		for _, template := range displayedBy(t, file) {
			said[template] = true
		}
	}
	for _, template := range planTexts(t, "planner/texts.toml") {
		said[template] = true
	}
	for _, room := range slices.Concat(sentenceRooms, wordyRooms) {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no source: %v", room, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for template, spoken := range sentencesOf(t, file) {
				said[template] = true
				if _, ok := known[template]; spoken && !ok && slices.Contains(sentenceRooms, room) && !commandFiles.MatchString(filepath.ToSlash(file)) {
					t.Errorf("%s says %q, which frontend/src/words/ru/told does not have", file, template)
				}
				n++
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d sentences found", n)
	}
	for _, template := range slices.Sorted(maps.Keys(known)) {
		if !said[template] && !saidElsewhere(t, template) {
			t.Errorf("nothing says %q any more", template)
		}
	}
}

var (
	verb  = regexp.MustCompile(`%(?: x|#?(?:\.\d+)?[a-zA-Z])`)
	hole  = regexp.MustCompile(`\{(\d+)(?:\|[^}]*)?\}`)
	prose = regexp.MustCompile(`[a-z]{2,}.* .*[a-z]{2,}`)
	// A command alone is the same in each language.
	command = regexp.MustCompile(`^errand [a-z]+[ %=A-Zsd-]*(confirm %d)?$`)
	message = regexp.MustCompile(`(?m)^([a-z0-9_]+) = ("(?:[^"\\]|\\.)*")$`)
)

// checkHoles: the words have each of the template's values, and no other.
func checkHoles(t *testing.T, file, template, words string) {
	t.Helper()
	values := len(verb.FindAllString(strings.ReplaceAll(template, "%%", ""), -1))
	used := map[int]bool{}
	for _, h := range hole.FindAllStringSubmatch(words, -1) {
		n, _ := strconv.Atoi(h[1])
		used[n] = true
	}
	for n := range values {
		if !used[n+1] {
			t.Errorf("%s: %q leaves out value %d of %q", file, words, n+1, template)
		}
	}
	if len(used) != values {
		t.Errorf("%s: %q has %d values, %q has %d", file, words, len(used), template, values)
	}
}

// sentencesOf are the texts of a file, joined where they are added up; spoken:
// they are said by one of the functions or kept in one of the fields that a
// person reads.
func sentencesOf(t *testing.T, file string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Expr:
			if text, ok := templateOf(n); ok && !out[text] {
				out[text] = false // it is there, and nothing more is known of it
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || !slices.Contains(saying, nameOf(call.Fun)) {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := templateOf(arg); ok && prose.MatchString(verb.ReplaceAllString(text, "")) && !command.MatchString(text) {
					out[text] = true
					break
				}
			}
		}
		return true
	})
	return out
}

// messagesOf are the sentences of the grammar's English: not what it offers to be
// said, which is English itself.
func messagesOf(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, messages, found := strings.Cut(string(b), "[messages]")
	var out []string
	for _, m := range message.FindAllStringSubmatch(messages, -1) {
		text, err := strconv.Unquote(m[2])
		if err != nil {
			t.Fatalf("%s: %s: %v", file, m[1], err)
		}
		if strings.Contains(text, " ") && !strings.HasSuffix(m[1], "_said") && m[1] != "you_could_say" {
			out = append(out, text)
		}
	}
	if !found || len(out) < 40 {
		t.Fatalf("%s: %d messages found", file, len(out))
	}
	return out
}

// displayFiles say how tools are shown.
var displayFiles = []string{
	"host/browser/actions/display.toml", "host/files/display.toml", "host/system/display.toml", "plugins/display.toml", "app/answers/texts.toml",
}

var (
	english   = regexp.MustCompile(`\ben = ("(?:[^"\\]|\\.)*")`)
	parameter = regexp.MustCompile(`\{[a-z_]+\}`)
)

// displayedBy are the English texts of a file, as templates.
func displayedBy(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range english.FindAllStringSubmatch(string(b), -1) {
		text, err := strconv.Unquote(m[1])
		if err != nil {
			t.Fatalf("%s: %s: %v", file, m[1], err)
		}
		out = append(out, parameter.ReplaceAllString(text, "%s"))
	}
	if len(out) < 3 {
		t.Fatalf("%s: %d texts found", file, len(out))
	}
	return out
}

// planTexts are the English texts of plans.
func planTexts(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range message.FindAllStringSubmatch(string(b), -1) {
		text, err := strconv.Unquote(m[2])
		if err != nil {
			t.Fatalf("%s: %s: %v", file, m[2], err)
		}
		if m[1] == "en" {
			out = append(out, text)
		}
	}
	if len(out) < 40 {
		t.Fatalf("%s: %d texts found", file, len(out))
	}
	return out
}

func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// templateOf is a text of the source as a template: what is added to it is a
// value.
func templateOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.ParenExpr:
		return templateOf(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := templateOf(e.X)
		right, isRight := templateOf(e.Y)
		if !isLeft {
			left = "%s"
		}
		if !isRight {
			right = "%s"
		}
		return left + right, isLeft || isRight
	}
	return "", false
}

// puttogether are templates that the source has in parts, and where.
var puttogether = map[string]string{
	"reads %s":             "host/wasm/rights/words.go",
	"reads and changes %s": "host/wasm/rights/words.go",
}

// saidElsewhere reports whether a template is one that the source puts together.
func saidElsewhere(t *testing.T, template string) bool {
	t.Helper()
	file, ok := puttogether[template]
	if !ok {
		return false
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(b), strings.TrimSpace(verb.ReplaceAllString(template, "")))
}
