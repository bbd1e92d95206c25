package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"errand/build/must"
)

// madeFromData are areas whose codes are put together from data, so that no source
// names them in full. Their own tests check that each is used.
var madeFromData = map[string]string{
	"bundled.":     "texts of the bundled plugins, which name them in Rust; TestBundledTexts",
	"help.":        "help of commands and flags by their names; app/cli/help",
	"how_to.":      "examples of file actions; planner/interpret",
	"language.":    "marks and layouts; app/i18n reads them by name",
	"other_goal.":  "refusals by a key of the language files; planner/interpret",
	"small_talk.":  "answers by a key of the language files; planner/interpret",
	"tool.":        "texts of a tool by its name; host/tool/display",
	"unit.":        "units by their names; app/i18n",
	"window_hint.": "hints by the code of an error; app/desktop/view",
}

// TestEveryMessage checks the codes of the source against the language files. Each
// code has a text with exactly the parameters that the source gives. Every language
// has the same codes with the same parameters. No text is unused.
func TestEveryMessage(t *testing.T) {
	english := languageFile(t, "en")
	source := readSource(t)
	if len(source.uses) < 1000 {
		t.Fatalf("found %d messages in the source", len(source.uses))
	}
	for _, use := range source.uses {
		text, ok := english[use.code]
		if !ok {
			t.Errorf("%s: en.toml has no text for %s", use.at, use.code)
			continue
		}
		if want := parametersOf(text); !use.open && !slices.Equal(use.params, want) {
			t.Errorf("%s: %s gives %q, and its text has %q: %s", use.at, use.code, use.params, want, text)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(english)) {
		if !source.says(code) {
			t.Errorf("en.toml: nothing says %s", code)
		}
	}
	for _, tag := range languageTags(t) {
		texts := languageFile(t, tag)
		for _, code := range slices.Sorted(maps.Keys(english)) {
			text, ok := texts[code]
			if !ok {
				t.Errorf("%s.toml lacks %s: %s", tag, code, english[code])
			} else if got, want := parametersOf(text), parametersOf(english[code]); !slices.Equal(got, want) {
				t.Errorf("%s.toml: %s has the parameters %q, in English %q", tag, code, got, want)
			}
		}
		for _, code := range slices.Sorted(maps.Keys(texts)) {
			if _, ok := english[code]; !ok {
				t.Errorf("%s.toml: en.toml has no %s", tag, code)
			}
		}
	}
}

// says reports whether something in the source names a code.
func (s source) says(code string) bool {
	area := code[:strings.LastIndexByte(code, '.')+1]
	if s.literals[code] || s.literals[area] {
		return true
	}
	for area := range madeFromData {
		if strings.HasPrefix(code, area) {
			return true
		}
	}
	return false
}

// languageTags lists the languages, from the names of their files.
func languageTags(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("app/i18n/*.toml")
	if err != nil || len(names) < 2 {
		t.Fatalf("found %d language files: %v", len(names), err)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".toml")
	}
	return names
}

// languageFile reads the texts of a language, by code.
func languageFile(t *testing.T, tag string) map[string]string {
	t.Helper()
	var tree map[string]any
	if err := toml.Unmarshal([]byte(readText(t, "app/i18n/"+tag+".toml")), &tree); err != nil {
		t.Fatalf("%s.toml: %v", tag, err)
	}
	texts := map[string]string{}
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for key, v := range tree {
			switch v := v.(type) {
			case string:
				texts[prefix+key] = v
			case map[string]any:
				walk(prefix+key+".", v)
			}
		}
	}
	walk("", tree)
	return texts
}

var parameterName = regexp.MustCompile(`\{([a-z][a-z0-9_]*)[|}]`)

// parametersOf lists the parameters of a text, sorted.
func parametersOf(text string) []string {
	names := map[string]bool{}
	for _, found := range parameterName.FindAllStringSubmatch(strings.ReplaceAll(text, "{{", ""), -1) {
		names[found[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// source is what the Go source says about messages.
type source struct {
	uses     []messageUse
	literals map[string]bool // every string literal that may be a code or a key
}

// messageUse is a call that makes a message.
type messageUse struct {
	at     string // file and line
	code   string
	params []string // sorted
	open   bool     // it gives parameters of a slice
}

var (
	isCode      = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$`)
	isCodeOrKey = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$`)
)

// readSource reads the Go source without tests. Functions make messages if they have
// parameters "code string" and "pairs ...any", such as message.New.
func readSource(t *testing.T) source {
	t.Helper()
	set := token.NewFileSet()
	files := map[string]*ast.File{}
	makers := map[string]int{} // name of a function and the place of its code
	for _, file := range sourceFiles(t) {
		if slices.Contains(testOnly, "errand/"+path.Dir(file)) {
			continue
		}
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		must.Succeed(t, err)
		files[file] = parsed
		findMakers(parsed, makers)
	}
	s := source{literals: map[string]bool{}}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		ast.Inspect(files[file], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if text, ok := literal(n); ok && isCodeOrKey.MatchString(text) {
					s.literals[text] = true
				}
			case *ast.CallExpr:
				if use, ok := messageUseOf(n, makers); ok {
					use.at = fmt.Sprintf("%s:%d", file, set.Position(n.Pos()).Line)
					s.uses = append(s.uses, use)
				}
			}
			return true
		})
	}
	addPageTexts(t, s.literals)
	return s
}

// findMakers adds the functions of a file that make messages.
func findMakers(file *ast.File, makers map[string]int) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			addMaker(n.Name.Name, n.Type, makers)
		case *ast.AssignStmt:
			for i, value := range n.Rhs {
				name, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident)
				if f, isFunc := value.(*ast.FuncLit); ok && isFunc {
					addMaker(name.Name, f.Type, makers)
				}
			}
		}
		return true
	})
}

func addMaker(name string, f *ast.FuncType, makers map[string]int) {
	var names []string
	for _, field := range f.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	if n := len(names); n >= 2 && names[n-2] == "code" && names[n-1] == "pairs" {
		makers[name] = n - 2
	}
}

// messageUseOf reads a call that makes a message of a code in the source.
func messageUseOf(call *ast.CallExpr, makers map[string]int) (messageUse, bool) {
	at, ok := makers[nameOf(call.Fun)]
	if !ok || len(call.Args) <= at {
		return messageUse{}, false
	}
	code, ok := literal(call.Args[at])
	if !ok || !isCode.MatchString(code) {
		return messageUse{}, false
	}
	use := messageUse{code: code, open: call.Ellipsis.IsValid()}
	for i := at + 1; i < len(call.Args); i += 2 {
		name, ok := literal(call.Args[i])
		if !ok {
			use.open = true
		}
		use.params = append(use.params, name)
	}
	slices.Sort(use.params)
	return use, true
}

// nameOf returns the name of a called function without its package or receiver.
func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

var (
	// words.t.drafts.empty names window.drafts.empty. words.t.gate[state] and
	// const t = words.t.gate name all texts of window.gate.
	pageText = regexp.MustCompile(`\bt\.([a-z_]+)\.([a-z_0-9]+)\b`)
	pageArea = regexp.MustCompile(`\bt\.([a-z_]+)[^a-z_0-9.]`)
)

// addPageTexts adds the codes that the page names, and its areas as "window.gate.".
func addPageTexts(t *testing.T, literals map[string]bool) {
	t.Helper()
	must.Succeed(t, filepath.WalkDir("frontend/src", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".ts", ".svelte"}, path.Ext(file)) {
			return err
		}
		b, err := os.ReadFile(file)
		for _, found := range pageText.FindAllSubmatch(b, -1) {
			literals["window."+string(found[1])+"."+string(found[2])] = true
		}
		for _, found := range pageArea.FindAllSubmatch(b, -1) {
			literals["window."+string(found[1])+"."] = true
		}
		return err
	}))
}

// rustText matches a text of the bundled plugins: text!("code", "english", name = value).
var rustText = regexp.MustCompile(`text!\(\s*"([a-z0-9_]+)",\s*"((?:[^"\\]|\\.)*)"`)

// TestBundledTexts checks the texts that the Rust source of the bundled plugins names
// against en.toml: each is there with exactly its parameters, and none is unused.
func TestBundledTexts(t *testing.T) {
	files, err := filepath.Glob("plugins/*/src/*.rs")
	if err != nil || len(files) < 20 {
		t.Fatalf("found %d source files: %v", len(files), err)
	}
	english := languageFile(t, "en")
	used := map[string]bool{}
	rustParameter := regexp.MustCompile(`\{([a-z_]+)(?::\?)?\}`)
	for _, file := range files {
		for _, found := range rustText.FindAllStringSubmatch(readText(t, file), -1) {
			code := "bundled." + found[1]
			used[code] = true
			names := map[string]bool{}
			for _, hole := range rustParameter.FindAllStringSubmatch(found[2], -1) {
				names[hole[1]] = true
			}
			text, ok := english[code]
			if !ok {
				t.Errorf("%s: en.toml has no text for %s", file, code)
			} else if got, want := slices.Sorted(maps.Keys(names)), parametersOf(text); !slices.Equal(got, want) {
				t.Errorf("%s: %s gives %q, and its text has %q: %s", file, code, got, want, text)
			}
		}
		// Text without a code would be English in every language.
		for i, line := range strings.Split(readText(t, file), "\n") {
			if strings.Contains(line, "Error::new(\"") && strings.Contains(line, "format!(") || strings.Contains(line, "english:") && !strings.HasPrefix(file, "plugins/guest/") {
				t.Errorf("%s:%d: an error without text!: %s", file, i+1, line)
			}
		}
	}
	for code := range english {
		if strings.HasPrefix(code, "bundled.") && !used[code] {
			t.Errorf("en.toml: no bundled plugin says %s", code)
		}
	}
}
