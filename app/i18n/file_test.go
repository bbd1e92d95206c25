package i18n

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"errand/build/must"
)

// read reads a language file with a TOML library.
func read(doc string) (map[string]string, error) {
	var tree map[string]any
	if err := toml.Unmarshal([]byte(doc), &tree); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	var walk func(prefix string, tree map[string]any) error
	walk = func(prefix string, tree map[string]any) error {
		for key, v := range tree {
			switch v := v.(type) {
			case string:
				texts[prefix+key] = v
			case map[string]any:
				if err := walk(prefix+key+".", v); err != nil {
					return err
				}
			default:
				return fmt.Errorf("%s%s is %T", prefix, key, v)
			}
		}
		return nil
	}
	return texts, walk("", tree)
}

// scanAll reads a language file as the program does.
func scanAll(doc string) (map[string]string, error) {
	texts := map[string]string{}
	for name, t := range split(strings.NewReader(doc)) {
		keys, err := t()
		if err != nil {
			return nil, err
		}
		for key, text := range keys {
			texts[name+"."+key] = text
		}
	}
	return texts, nil
}

func TestFilesAreTOML(t *testing.T) {
	for _, tag := range Tags() {
		doc, err := files.ReadFile(tag + ".toml")
		must.Succeed(t, err)
		want, err := read(string(doc))
		if err != nil {
			t.Fatalf("%s.toml: %v", tag, err)
		}
		got, err := scanAll(string(doc))
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s.toml is read otherwise than by a TOML library: %v, %d and %d texts", tag, err, len(got), len(want))
			for code, text := range want {
				if got[code] != text {
					t.Errorf("%s: %q, want %q", code, got[code], text)
				}
			}
		}
	}
}

func TestScan(t *testing.T) {
	tests := []struct {
		name string
		doc  string
		want map[string]string // nil: an error
	}{
		{"table at the border of a block", "[a]\nb = \"" + strings.Repeat("c", 16<<10-10) + "\"\n[d]\ne = \"f\"\n", map[string]string{"a.b": strings.Repeat("c", 16<<10-10), "d.e": "f"}},
		{"table behind the border of a block", "[a]\nb = \"" + strings.Repeat("c", 16<<10-11) + "\"\n[d]\ne = \"f\"\n", map[string]string{"a.b": strings.Repeat("c", 16<<10-11), "d.e": "f"}},
		{"empty", "", map[string]string{}},
		{"no table", "# English\n", map[string]string{}},
		{"texts", "[a]\nb = \"c\"\n\n# comment\n[d.e]\nf = \"g \\\"h\\\" \\u00e9\"\n", map[string]string{"a.b": "c", "d.e.f": "g \"h\" é"}},
		{"no last newline", "[a]\nb = \"c\"", map[string]string{"a.b": "c"}},
		{"several lines", "[a]\nb = \"\"\"\none\n  \"two\" \\\"three\\\" \\\\ \n\"\"\"\nc = \"d\"\n", map[string]string{"a.b": "one\n  \"two\" \"three\" \\ \n", "a.c": "d"}},
		{"one of several lines", "[a]\nb = \"\"\"\none\"\"\"\n", map[string]string{"a.b": "one"}},
		{"equals sign", "[a]\nb = \"c = d\"\n", map[string]string{"a.b": "c = d"}},
		{"twice", "[a]\nb = \"c\"\nb = \"c\"\n", nil},
		{"table twice", "[a]\nb = \"c\"\n[a]\nd = \"e\"\n", nil},
		{"no value", "[a]\nb\n", nil},
		{"backslash before a newline", "[a]\nb = \"\"\"\nc \\\nd\n\"\"\"\n", nil},
		{"number", "[a]\nb = 1\n", nil},
		{"literal string", "[a]\nb = 'c'\n", nil},
		{"raw Go string", "[a]\nb = `c`\n", nil},
		{"no end", "[a]\nb = \"\"\"\nc\n", nil},
		{"comment behind", "[a]\nb = \"c\" # d\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := scanAll(tt.doc)
			if (err != nil) != (tt.want == nil) || tt.want != nil && !maps.Equal(got, tt.want) {
				t.Errorf("got %q, %v", got, err)
			}
			if want, err := read(tt.doc); tt.want != nil && (err != nil || !maps.Equal(want, tt.want)) {
				t.Errorf("TOML has %q, %v", want, err)
			}
		})
	}
}

// FuzzScan: what the scan reads without an error, a TOML library reads the same
// way, in files of the form that doc.go describes.
func FuzzScan(f *testing.F) {
	f.Add("key", "text \\u00e9 \\\"", "several\n\"lines\" \\\\ ")
	f.Add("a_b", `\x41`, "")
	bare := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	f.Fuzz(func(t *testing.T, key, line, lines string) {
		if !bare.MatchString(key) || strings.Contains(line+lines, `\x`) { // Go and TOML differ in \x
			return
		}
		doc := "[a]\n" + key + " = \"" + line + "\"\n[b.c]\nd = \"\"\"\n" + lines + "\"\"\"\n"
		got, err := scanAll(doc)
		if err != nil {
			return
		}
		want, err := read(doc)
		if err != nil {
			return // escapes that TOML refuses: TestFilesAreTOML finds them
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s\ngot %q, want %q", doc, got, want)
		}
	})
}

// TestTemplates checks the form of every text: holes are closed, formats exist, and
// choices are those of the language.
func TestTemplates(t *testing.T) {
	for _, tag := range Tags() {
		l := ForTag(tag)
		p := printer{l, maxText}
		categories := map[string]bool{}
		for n := range int64(200) {
			categories[p.category(n)] = true
		}
		for code, text := range allTexts(t, tag) {
			for _, fault := range templateFaults(text, categories) {
				t.Errorf("%s.toml: %s: %s: %s", tag, code, fault, text)
			}
		}
	}
}

func allTexts(t *testing.T, tag string) map[string]string {
	t.Helper()
	doc, err := files.ReadFile(tag + ".toml")
	must.Succeed(t, err)
	texts, err := scanAll(string(doc))
	must.Succeed(t, err)
	return texts
}

func templateFaults(text string, categories map[string]bool) (faults []string) {
	for {
		before, hole, rest, ok := cutHole(text)
		if !ok {
			if plain := strings.ReplaceAll(text, "{{", ""); strings.Contains(plain, "{") {
				faults = append(faults, "a hole is not closed")
			}
			return faults
		}
		_ = before
		text = rest
		name, how, found := strings.Cut(hole, "|")
		if name == "" || strings.ContainsAny(name, " {}:\"") {
			faults = append(faults, fmt.Sprintf("%q names no parameter", hole))
		}
		switch how {
		case "lines", "quote", "shell", "and", "number", "bytes", "duration", "span", "percent", "decimal", "time", "date", "day", "month_day", "moment":
			continue
		case "":
			if found {
				faults = append(faults, fmt.Sprintf("%q has an empty format", hole))
			}
			continue
		}
		if !strings.HasPrefix(how, "join:") {
			faults = append(faults, choiceFaults(hole, how, categories)...)
		}
	}
}

// pluralCategories are those of CLDR, apart from other.
var pluralCategories = []string{"zero", "one", "two", "few", "many"}

func choiceFaults(hole, choices string, categories map[string]bool) (faults []string) {
	have := map[string]bool{}
	for choices != "" {
		var choice string
		choice, choices = cutChoice(choices)
		name, text, ok := strings.Cut(choice, ":")
		if !ok || have[name] || strings.ContainsAny(name, "{}") {
			faults = append(faults, fmt.Sprintf("%q is no format and no choice", choice))
		}
		have[name] = true
		faults = append(faults, templateFaults(text, categories)...)
		if slices.Contains(pluralCategories, name) && !categories[name] {
			faults = append(faults, fmt.Sprintf("%q: the language has no category %s", hole, name))
		}
	}
	if len(have) < 2 {
		faults = append(faults, fmt.Sprintf("%q has one choice", hole))
	}
	return faults
}

func TestTemplateFaults(t *testing.T) {
	russian := map[string]bool{"one": true, "few": true, "many": true}
	for text, want := range map[string]int{
		"plain {a} {a|quote} {{b}":                            0,
		"{n|one:a|few:b|many:c|other:d}":                      0,
		"{n|0:a|one:{n} a|few:b|many:c|other:{k|x:y|other:}}": 0,
		"{k|file:a|other:b}":                                  0,
		"{a":                                                  1,
		"{a|":                                                 1,
		"{}":                                                  1,
		"{a b}":                                               1,
		"{a|quot}":                                            2,
		"{a|}":                                                1,
		"{l|and} {l|join:; } {l|join:|}":                      0,
		"{p|:|other: in {p}}":                                 0,
		"{k|file:a}":                                          1,
		"{k|file:a|file:b|other:c}":                           1,
		"{n|one:a|other:b}":                                   0,
		"{n|one:a|few:b|many:c|two:d|other:e}":                1,
		"{n|one:{a|x}|few:b|many:c|other:d}":                  2,
	} {
		if got := templateFaults(text, russian); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}
