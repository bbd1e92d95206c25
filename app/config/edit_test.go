package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
)

const commented = `# mine
[policy]
subresources = "listed"   # strict
allowed_domains = [
  "@catalogue", # all of them
  "example.org",
  "!ads.example.org", # never
]

[ui] # how it looks
theme    = 'dark' # at night
# language is the system's

[[policy.rules]]
verdict = "deny"
tool = "x.*"
`

func TestEditKeepsCommentsAndOrder(t *testing.T) {
	tests := []struct {
		name      string
		doc       string
		edit      Edit
		old, new  string // what of doc becomes what
		wantError string
	}{
		{"a text", commented, Edit{Key: "ui.theme", Value: "light"}, "'dark'", "'light'", ""},
		{"a key that is not there, behind the last of its table", commented, Edit{Key: "ui.language", Value: "ru"}, "at night\n", "at night\nlanguage = 'ru'\n", ""},
		{"a table that is not there, at the end", commented, Edit{Key: "run.parallel", Value: int64(2)}, "tool = \"x.*\"\n", "tool = \"x.*\"\n\n[run]\nparallel = 2\n", ""},
		{"back to the default", commented, Edit{Key: "ui.theme"}, "theme    = 'dark' # at night\n", "", ""},
		{"a default that is one already", commented, Edit{Key: "run.parallel"}, "", "", ""},
		{
			"one more in a list of lines", commented,
			Edit{Key: "policy.allowed_domains", Value: []string{"@catalogue", "example.org", "!ads.example.org", "b.example"}},
			"\"!ads.example.org\", # never", "\"!ads.example.org\",\n  'b.example', # never", "",
		},
		{
			"one less in a list of lines", commented,
			Edit{Key: "policy.allowed_domains", Value: []string{"@catalogue", "!ads.example.org"}},
			"  \"example.org\",\n", "", "",
		},
		{
			"the last of a list of lines", commented,
			Edit{Key: "policy.allowed_domains", Value: []string{"@catalogue", "example.org"}},
			"  \"!ads.example.org\", # never\n", "", "",
		},
		{
			"another list", commented,
			Edit{Key: "policy.allowed_domains", Value: []string{"a.example"}},
			commented[strings.Index(commented, "[\n  \"@") : strings.Index(commented, "]\n\n[ui]")+1], "['a.example']", "",
		},
		{"an empty list", "[files]\nroots = [\"~/a\"]\n", Edit{Key: "files.roots", Value: []string{}}, `["~/a"]`, "[]", ""},
		{"no end of line", "[ui]\ntheme = \"dark\"", Edit{Key: "ui.language", Value: "en"}, "\"dark\"", "\"dark\"\nlanguage = 'en'\n", ""},
		{"no file", "", Edit{Key: "ui.language", Value: "en"}, "", "[ui]\nlanguage = 'en'\n", ""},
		{"a header with nothing below it", "[ui]\n# nothing\n[run]\n", Edit{Key: "ui.theme", Value: "dark"}, "[ui]\n", "[ui]\ntheme = 'dark'\n", ""},
		{"a dotted key", "ui.theme = \"dark\"\n", Edit{Key: "ui.theme", Value: "light"}, `"dark"`, "'light'", ""},
		{"beside a dotted key", "ui.theme = \"dark\"\n", Edit{Key: "ui.language", Value: "en"}, "\"dark\"\n", "\"dark\"\nui.language = 'en'\n", ""},
		{"in braces", "ui = { theme = \"dark\", language = \"en\" }\n", Edit{Key: "ui.theme", Value: "light"}, `"dark"`, "'light'", ""},
		{"a new key in braces is not known", "ui = { theme = \"dark\" }\n", Edit{Key: "ui.language", Value: "en"}, "", "", "by hand"},
		{"out of braces is not known", "ui = { theme = \"dark\" }\n", Edit{Key: "ui.theme"}, "", "", "by hand"},
		{"Windows' ends of line", "[ui]\r\ntheme = \"dark\"\r\n", Edit{Key: "ui.language", Value: "en"}, "\"dark\"\r\n", "\"dark\"\r\nlanguage = 'en'\r\n", ""},
		{"a quoted key", "[ui]\n\"theme\" = \"dark\"\n", Edit{Key: "ui.theme", Value: "light"}, `"dark"`, "'light'", ""},
		{"marks in a text", "[browser]\nbin = \"a # \\\" ] b\" # c\n", Edit{Key: "browser.bin", Value: "x ' y"}, `"a # \" ] b"`, `"x ' y"`, ""},
		{"a text of many lines", "[browser]\nbin = '''\na'''\n[run]\n", Edit{Key: "browser.bin", Value: "b"}, "'''\na'''", "'b'", ""},
		{"a rule at the end", commented, Edit{Append: "[[policy.rules]]\nverdict = \"allow\"\ntool = \"a\""}, "tool = \"x.*\"\n", "tool = \"x.*\"\n\n[[policy.rules]]\nverdict = \"allow\"\ntool = \"a\"\n", ""},
		{"a list of tables is written by hand", commented, Edit{Key: "policy.rules", Value: []string{}}, "", "", "by hand"},
		{"an unknown key", commented, Edit{Key: "ui.colour", Value: "red"}, "", "", "by hand"},
		{"no TOML at all", "[ui\n", Edit{Key: "ui.theme", Value: "dark"}, "", "", "fix the file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := applyEdit([]byte(tt.doc), tt.edit)
			if tt.wantError != "" {
				if err == nil || !strings.Contains(i18n.English().Error(err), tt.wantError) {
					t.Fatalf("error %v, want %q; document\n%s", err, tt.wantError, got)
				}
				return
			}
			must.Succeed(t, err)
			want := strings.Replace(tt.doc, tt.old, tt.new, 1)
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzEdit: whatever the document, an edit either is refused or does what it
// says and nothing else.
func FuzzEdit(f *testing.F) {
	f.Add(commented, "light")
	f.Add("ui.theme = 1", "dark")
	f.Add("ui = { theme = \"a\", x = [ { theme = 2 } ] }", "dark")
	f.Add("[ui]\ntheme = \"\"\"a\\\"\"\"\"\"\n[ui.x]\n", "a'b\"c\n")
	f.Add("[policy]\nallowed_domains = [\"a\", # b\n\"c\"]", "d")
	f.Fuzz(func(t *testing.T, doc, value string) {
		for _, e := range []Edit{
			{Key: "ui.theme", Value: value},
			{Key: "ui.theme"},
			{Key: "policy.allowed_domains", Value: []string{"a", value}},
		} {
			got, err := applyEdit([]byte(doc), e)
			if err != nil {
				continue
			}
			want, err := tree([]byte(doc))
			if err != nil {
				t.Fatalf("a document that is no TOML was edited: %q", got)
			}
			plant(want, strings.Split(e.Key, "."), e.Value)
			is, err := tree(got)
			if diff := cmp.Diff(prune(want), prune(is)); err != nil || diff != "" {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		}
	})
}

func TestChange(t *testing.T) {
	home := t.TempDir()
	o := Options{Env: []string{"HOME=" + home}}
	place := filepath.Join(home, ".config", "errand", "errand.toml")
	must.Succeed(t, Change(o, Edit{Key: "ui.theme", Value: "dark"}, Edit{Key: "files.roots", Value: []string{"~/Papers"}}))
	l, err := Load(o)
	if err != nil || l.UI.Theme != "dark" || l.Source("ui.theme") != "errand.toml:2" || l.Files.Roots[0] != "~/Papers" {
		t.Fatalf("%v, %+v", err, l)
	}
	if info, err := os.Stat(place); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	before, _ := os.ReadFile(place)

	var faults Problems
	err = Change(o, Edit{Key: "ui.theme", Value: "light"}, Edit{Key: "policy.allowed_domains", Value: []string{"@catalogue", "*.com"}})
	if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line == 0 || faults[0].Key != "policy.allowed_domains[1]" {
		t.Errorf("a bad pattern: %v", err)
	}
	if after, _ := os.ReadFile(place); string(after) != string(before) {
		t.Errorf("a change that is refused was written: %s", after)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(place), ".errand*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	target := filepath.Join(home, "dotfiles.toml")
	must.Succeed(t, errors.Join(os.Rename(place, target), os.Symlink(target, place)))
	must.Succeed(t, Change(o, Edit{Key: "ui.theme"}))
	if info, err := os.Lstat(place); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v, %v", info, err)
	}
}

func TestChangeRepairsInvalidFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte("[ui]\ntheme = \"pink\"\n"), 0o600))
	o := Options{File: file, Env: []string{"HOME=" + t.TempDir()}}
	if _, err := Load(o); err == nil {
		t.Fatal("pink is a theme?")
	}
	if l, err := Fallback(o); err != nil || l.UI.Theme != "system" || !l.Paths.FileExists || l.Paths.File != file {
		t.Errorf("%+v, %v", l, err)
	}
	must.Succeed(t, Change(o, Edit{Key: "ui.theme", Value: "dark"}))
	if l, err := Load(o); err != nil || l.UI.Theme != "dark" {
		t.Errorf("%v", err)
	}
}

func TestEveryKeyIsSettableOrWrittenByHand(t *testing.T) {
	l, err := Load(Options{Env: []string{"HOME=" + t.TempDir(), "ERRAND_UI_THEME=dark"}})
	must.Succeed(t, err)
	got := map[string]Kind{}
	for _, s := range Editable(l) {
		got[s.Key] = s.Kind
		if s.Kind == Choice {
			found := false
			for _, c := range s.Choices {
				found = found || c == s.Value
			}
			if !found {
				t.Errorf("%s: %v is none of %v", s.Key, s.Value, s.Choices)
			}
		}
		if s.Locked != (s.Key == "ui.theme") {
			t.Errorf("%s: locked %v", s.Key, s.Locked)
		}
	}
	for _, key := range Keys() {
		if byHand := key == "policy.rules" || key == "sites" || key == "apps" || key == "llm.prices" || key == "mcp.servers"; byHand == (got[key] != "") {
			t.Errorf("%s is of kind %q", key, got[key])
		}
	}
}
