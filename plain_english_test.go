package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app/cli"
	"errand/build/must"
)

const bannedFile = "testdata/plain_english/banned.txt"

// TestPlainEnglish finds banned phrases in what people read: the help of each
// command, the English texts, the documents, and the comments and texts of the Go
// sources.
func TestPlainEnglish(t *testing.T) {
	banned := bannedPhrases(t)
	found := slices.Concat(findInHelp(banned), findInTexts(banned, languageFile(t, "en")))
	for _, file := range documentFiles(t) {
		found = append(found, findInDocument(t, banned, file)...)
	}
	for _, file := range sourceFiles(t) {
		found = append(found, findInSource(t, banned, file)...)
	}
	for _, line := range found {
		t.Error(line)
	}
}

// TestPlainEnglishFinds shows that the search can fail.
func TestPlainEnglishFinds(t *testing.T) {
	banned := bannedPhrases(t)
	for text, want := range map[string]bool{
		"There is no folder ~/Documents/Nope.":       false,
		"the plugin is no longer there":              false,
		"x.pdf is no plugin's file":                  true,
		"A draft waits for your yes":                 true,
		"What is removed stays in the trash.":        true,
		"What is a draft?":                           false,
		"It can’t be fewer":                          true,
		"Errand contacts a site if the list permits": false,
	} {
		if got := banned.MatchString(simplify(text)); got != want {
			t.Errorf("%q is found: %v, want %v", text, got, want)
		}
	}
}

func bannedPhrases(t *testing.T) *regexp.Regexp {
	t.Helper()
	var all []string
	for line := range strings.Lines(readText(t, bannedFile)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return regexp.MustCompile("(?i)" + strings.Join(all, "|"))
}

var thereIsNo = regexp.MustCompile(`(?i)\bthere (is|are|was|were) (no|none|nothing)\b|\bif there is none\b|\b(is|are) no longer\b`)

// simplify takes out of a text what is plain and looks like a banned phrase.
func simplify(text string) string {
	return thereIsNo.ReplaceAllString(strings.ReplaceAll(text, "’", "'"), "there")
}

func findInHelp(banned *regexp.Regexp) []string {
	var out []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		texts := []string{c.Short, c.Long, c.Example}
		c.Flags().VisitAll(func(f *pflag.Flag) { texts = append(texts, f.Usage) })
		for _, text := range texts {
			for line := range strings.Lines(text) {
				if banned.MatchString(simplify(strings.TrimSpace(line))) {
					out = append(out, fmt.Sprintf("%s --help: %s", c.CommandPath(), strings.TrimSpace(line)))
				}
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(cli.Tree())
	return out
}

// findInTexts looks at the texts of a language.
func findInTexts(banned *regexp.Regexp, texts map[string]string) []string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(texts)) {
		if text := simplify(strings.Join(strings.Fields(texts[code]), " ")); banned.MatchString(text) {
			out = append(out, fmt.Sprintf("en.toml: %s: %q in %s", code, banned.FindString(text), text))
		}
	}
	return out
}

func documentFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		files, err := filepath.Glob(pattern)
		must.Succeed(t, err)
		all = append(all, files...)
	}
	return all
}

func findInDocument(t *testing.T, banned *regexp.Regexp, file string) []string {
	t.Helper()
	var out []string
	n := 0
	for line := range strings.Lines(readText(t, file)) {
		n++
		if banned.MatchString(simplify(strings.TrimLeft(line, " -*#>|0123456789."))) {
			out = append(out, fmt.Sprintf("%s:%d: %s", file, n, strings.TrimSpace(line)))
		}
	}
	return out
}

func sourceFiles(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(goFiles(t), func(file string) bool {
		return strings.HasSuffix(file, "_test.go") || path.Base(file) == "built.go" // data, by make tables
	})
}

// goFiles returns all Go files, those of tests too.
func goFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, top := range []string{".", "app", "build", "cmd", "frontend", "host", "planner", "plugins", "policy"} {
		must.Succeed(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (slices.Contains([]string{"testdata", "node_modules", "target"}, d.Name()) || top == "." && path != "."):
				return filepath.SkipDir
			case strings.HasSuffix(path, ".go"):
				all = append(all, filepath.ToSlash(path))
			}
			return nil
		}))
	}
	return all
}

// findInSource looks at the comments and at the texts with a space in them.
func findInSource(t *testing.T, banned *regexp.Regexp, file string) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments)
	must.Succeed(t, err)
	var out []string
	search := func(at token.Pos, text string) {
		text = simplify(strings.Join(strings.Fields(text), " "))
		for _, phrase := range banned.FindAllString(text, -1) {
			out = append(out, fmt.Sprintf("%s:%d: %s", file, set.Position(at).Line, phrase))
		}
	}
	for _, group := range parsed.Comments {
		search(group.Pos(), group.Text())
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
				search(lit.Pos(), text)
			}
		}
		return true
	})
	return out
}

func readText(t *testing.T, file string) string {
	t.Helper()
	return string(must.ReadFile(t, file))
}
