package main_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"errand/build/must"
)

// sentencesAllowed are packages and files whose texts are no part of what the program
// says to people, with the reason.
var sentencesAllowed = map[string]string{
	"cmd/errand-rego":                "a compiler, whose errors are in English as those of Rego are",
	"app/demo":                       "the pages of a site",
	"app/i18n":                       "mistakes in language files, which its tests find",
	"build":                          "tools of the build",
	"frontend/e2e/longrun":           "writes data for tests",
	"host/browser/challenge":         "words to look for in pages",
	"host/browser/document/world.go": "errors of Chromium",
	"host/browser/waysout":           "the pages of a test site",
	"host/desktop/desktoptest":       "tests",
	"host/event/eventtest":           "tests",
	"host/jobs/jobstest":             "tests",
	"host/llm/llmtest":               "tests",
	"host/store/storetest":           "tests",
	"host/telegram/errors.go":        "errors of Telegram",
	"host/telegram/telegramtest":     "tests",
	"host/trace/tracetest":           "tests",
	"host/tool/display":              "mistakes in the source",
	"host/wasm/codecache":            "internal errors; the module is compiled again",
	"host/wasm/linear":               "internal errors, which end a call with its own message",
	"host/wasm/pool":                 "internal errors, which host/wasm answers with messages of its own",
	"host/wasm/manifest/syntax.go":   "errors of the TOML library",
	"host/wasm/stack":                "stack traces, and errors of wazero",
	"host/wasm/kit/_templates":       "source of new plugins",
	"planner/interpret/lexicon":      "mistakes in language files, which its tests find",
	"planner/message":                "mistakes in the source",
	"planner/verify":                 "what only tests report",
	"policy/policytest":              "tests",
	"policy/special/addr_iana.go":    "names in the registries of IANA",
}

const sentenceAllowance = "testdata/messages/allowance.txt"

// TestNoSentenceInSource finds sentences in Go string literals, because what people
// read is in the language files. The allowance has a count for each package that
// still has some; no count may be raised. UPDATE=1 lowers them.
func TestNoSentenceInSource(t *testing.T) {
	allowed := readCounts(t, sentenceAllowance)
	counts, found := map[string]int{}, map[string][]string{}
	used := map[string]bool{}
	for _, file := range sourceFiles(t) {
		if entry := allowedEntry(file); entry != "" {
			used[entry] = true
			continue
		}
		lines := findSentences(t, file, readText(t, file))
		counts[path.Dir(file)] += len(lines)
		found[path.Dir(file)] = append(found[path.Dir(file)], lines...)
	}
	for entry := range sentencesAllowed {
		if !used[entry] {
			t.Errorf("%s does not exist; remove it from sentencesAllowed", entry)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		if counts[dir] > allowed[dir] {
			t.Errorf("%s has %d sentences in its source, %d allowed:\n%s", dir, counts[dir], allowed[dir], strings.Join(found[dir], "\n"))
		}
	}
	if os.Getenv("UPDATE") != "" && !t.Failed() {
		writeCounts(t, sentenceAllowance, counts)
	}
}

// allowedEntry returns the entry of sentencesAllowed for a file.
func allowedEntry(file string) string {
	for at := file; at != "."; at = path.Dir(at) {
		if sentencesAllowed[at] != "" {
			return at
		}
	}
	return ""
}

var (
	verb        = regexp.MustCompile(`%(?:\[\d\])?[-+# 0]*[\d.*]*[a-zA-Z]`)
	threeWords  = regexp.MustCompile(`(?i)\b[a-z']{2,}[,:;]? [a-z']+[,:;]? [a-z']{2,}`)
	twoWords    = regexp.MustCompile(`[a-z]{2,}[,:;]? .*[a-z]{2,}`)
	noSentence  = regexp.MustCompile("(?i)\\{\"|\":|</|\\b(ORDER BY|FROM runs|SELECT (seq|total|1|body))\\b|^(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|BEGIN|SAVEPOINT)\\b|[(]\\?")
	descriptive = regexp.MustCompile(`^(about|doc|Description|description)$`)
)

// speaking are functions whose texts people may read, so that two words are a sentence.
var speaking = map[string]bool{
	"fmt.Errorf": true, "fmt.Sprintf": true, "fmt.Sprint": true, "fmt.Fprintf": true, "fmt.Fprint": true, "fmt.Fprintln": true,
	"fmt.Printf": true, "fmt.Println": true, "errors.New": true, "message.Verbatim": true,
}

// findSentences lists the sentences of a file. It leaves out the arguments of panic,
// descriptions of tools, arguments and rule fields, JSON, HTML, SQL and regular expressions.
func findSentences(t *testing.T, file, text string) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	must.Succeed(t, err)
	var out []string
	in := map[ast.Node]bool{} // arguments of functions that speak
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch name := callName(n.Fun); {
			case name == "panic" || name == "regexp.MustCompile" || name == "strings.Fields":
				return false
			case speaking[name]:
				for _, arg := range n.Args {
					in[arg] = true
				}
			}
		case *ast.BinaryExpr:
			in[n.X], in[n.Y] = in[n], in[n]
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && descriptive.MatchString(key.Name) {
				return false
			}
		case *ast.Field:
			return n.Tag == nil
		case *ast.BasicLit:
			text, ok := literal(n)
			text = verb.ReplaceAllString(text, "%")
			if ok && !noSentence.MatchString(text) && (threeWords.MatchString(text) || in[n] && twoWords.MatchString(text)) {
				out = append(out, fmt.Sprintf("%s:%d: %s", file, set.Position(n.Pos()).Line, text))
			}
		}
		return true
	})
	return out
}

// callName returns the name of a called function, with its package.
func callName(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if pkg, ok := fun.X.(*ast.Ident); ok {
			return pkg.Name + "." + fun.Sel.Name
		}
	}
	return ""
}

// TestFindSentences shows what is a sentence.
func TestFindSentences(t *testing.T) {
	for statement, want := range map[string]int{
		`_ = errors.New("not found")`:                                   1,
		`_ = errors.New("gone")`:                                        0,
		`_ = fmt.Sprintf("%s is gone", x)`:                              1,
		`_ = fmt.Sprintf("%s: gone", x)`:                                0,
		`x := strings.Fields("one of these words")`:                     0,
		`_ = fmt.Sprintf("read %s: it is gone", x)`:                     1,
		`_ = fmt.Sprintf("%d%s", x, "the file " + x + " and that one")`: 2,
		`x := "the page is gone"`:                                       1,
		`x := "the page"`:                                               0,
		`x := "page.gone"`:                                              0,
		`x := "SELECT a FROM b WHERE c"`:                                0,
		`panic("this can not be: " + x)`:                                0,
		`x := map[string]string{"a": "an error of the network"}`:        1,
		`x := spec{Description: "Open a page in a tab"}`:                0,
		`x := message.New("a.b", "kind", "a file of yours")`:            1,
		`x := message.Verbatim("no file")`:                              1,
	} {
		source := "package p\n\nfunc f() {\n" + statement + "\n}\n"
		if got := findSentences(t, "p.go", source); len(got) != want {
			t.Errorf("%s: %q, want %d", statement, got, want)
		}
	}
}

// readCounts reads lines such as "3 app/config".
func readCounts(t *testing.T, file string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for line := range strings.Lines(readText(t, file)) {
		n, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || n == "#" {
			continue
		}
		count, err := strconv.Atoi(n)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		counts[name] = count
	}
	return counts
}

func writeCounts(t *testing.T, file string, counts map[string]int) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Sentences that are still in the Go source of a package, most first.\n")
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		if counts[name] > 0 {
			fmt.Fprintf(&b, "%d %s\n", counts[name], name)
		}
	}
	must.Succeed(t, os.WriteFile(file, []byte(b.String()), 0o644))
}
