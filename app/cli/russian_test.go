package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// untranslated matches text that is the same in every language: commands, paths, addresses, names
// of tools, flags and settings, quoted text, and JSON.
var untranslated = regexp.MustCompile("(?m)" + strings.Join([]string{
	`errand( [a-z-]+)+( [^ .]*[a-z0-9…=][^ ]*)*`, "`[^`]*`", `«[^»]*»`, `"[^"]*"`, `'[^']*'`,
	`\S*[:.]\S+`, `\S*[/\\@=_…]\S*`, `--?[a-z-]+`, `\[\[?[a-z]+\]?\]`, `[{].*[}]`, `^\t.*`, `#.*`,
}, "|"))

// englishWords matches an English phrase of at least two words.
var englishWords = regexp.MustCompile(`(?i)\b(a|an|the|is|are|was|be|to|of|in|on|at|and|or|not|no|it|its|this|that|for|with|by|from|as|can|can't|you|your|there|has|have|does|must|which)\b`)

var latinPhrase = regexp.MustCompile(`\b[A-Za-z]+(?:'[a-z]+)?(?:[ ,]+[A-Za-z]+(?:'[a-z]+)?)+\b`)

// russian fails if the last command printed an English phrase.
func russian(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: russian")
	}
	for line := range strings.Lines(ts.ReadFile("stdout") + "\n" + ts.ReadFile("stderr")) {
		if phrase := englishIn(line); phrase != "" {
			ts.Fatalf("%q is English in %q", phrase, line)
		}
	}
}

// englishIn returns an English phrase of a line.
func englishIn(line string) string {
	for _, phrase := range latinPhrase.FindAllString(untranslated.ReplaceAllString(line, "|"), -1) {
		if englishWords.MatchString(phrase) {
			return phrase
		}
	}
	return ""
}

// TestEnglishIn checks that englishIn finds phrases.
func TestEnglishIn(t *testing.T) {
	tests := []struct{ line, want string }{
		{"errand: the goal is empty", "the goal is empty"},
		{"  hint: see errand run --help", ""}, // two words alone may be names
		{"draft 01m8m46b3tkh5gmt4ajzmv2h7y · waits for approval, 10m left", "waits for approval"},
		{"      needs approval: it changes something", "it changes something"},
		{"stat nope.toml: no such file or directory", "no such file or directory"},
		{"errand: for example: errand run \"open the door\"", "for example"},
		{"отклонил(а) the user of this machine", "the user of this machine"},
		{"errand approve 01m8m46b3tkh5gmt4ajzmv2h7y", ""},
		{"подсказка: смотрите errand run --help", ""},
		{"files.create_folder  path /home/ann/Documents/Отчёты", ""},
		{"errand: у «errand» нет команды «rum to»", ""},
	}
	for _, tt := range tests {
		if got := englishIn(tt.line); got != tt.want {
			t.Errorf("%q: found %q, want %q", tt.line, got, tt.want)
		}
	}
}
