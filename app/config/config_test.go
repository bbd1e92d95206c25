package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"errand/app/i18n"
	"errand/build/must"
	"errand/planner/message"
)

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestProblemLines(t *testing.T) {
	tests := []struct {
		name string
		toml string
		env  []string
		want string
	}{
		{
			"unknown key with a near one", "[policy]\nsubresorces = \"public\"\n", nil,
			`errand.toml:2: policy.subresorces: unknown key; did you mean "subresources"?`,
		},
		{"unknown table", "[polcy]\n", nil, `errand.toml:1: polcy: unknown key; did you mean "policy"?`},
		{
			"unknown key in a list of tables", "[[policy.rules]]\ntool = \"*\"\n\n[[policy.rules]]\nverdikt = \"deny\"\ntool = \"*\"\n", nil,
			`errand.toml:5: policy.rules[1].verdikt: unknown key; did you mean "verdict"?`,
		},
		{"not TOML", "[policy\n", nil, `errand.toml:1: expected`},
		{"wrong type", "[plugins]\n\nrequire_signature = \"yes\"\n", nil, `errand.toml:3: plugins.require_signature`},
		{"show as the flag that it was", "[browser]\n\nshow = true\n", nil, `errand.toml:3: browser.show: true is not a value any more; write "always", or "auto"`},
		{"show off as the flag that it was", "[browser]\nshow = false\n", nil, `errand.toml:2: browser.show: false is not a value any more; write "never", or "auto"`},
		{"show that is neither", "[browser]\nshow = \"sometimes\"\n", nil, `errand.toml:2: browser.show: "sometimes" is not one of`},
		{"show as a flag in a text", "[browser]\nshow = \"true\"\n", nil, `errand.toml:2: browser.show: true is not a value any more; write "always"`},
		{
			"wrong word", "[policy]\nsubresources = \"listd\"\n", nil,
			`errand.toml:2: policy.subresources: "listd" is not one of "public", "listed"`,
		},
		{"no public key", "[plugins]\ntrusted_keys = [\n  \"RWhello\",\n]\n", nil, `errand.toml:3: plugins.trusted_keys[0]: "RWhello" is not a minisign public key`},
		{"no public key in the environment", "", []string{"ERRAND_PLUGINS_TRUSTED_KEYS=hello"}, `ERRAND_PLUGINS_TRUSTED_KEYS: plugins.trusted_keys[0]: "hello" is not a minisign public key`},
		{"a signature that is nearly required", "[plugins]\nrequire_signature = \"yes\"\n", nil, `errand.toml:2: plugins.require_signature`},
		{"number outside", "[run]\nparallel = 0\n", nil, `errand.toml:2: run.parallel: 0 is outside 1 to 64`},
		{
			"bad pattern, after the catalogue", "[policy]\nallowed_domains = [\n  \"@catalogue\",\n  \"*.com\",\n]\n", nil,
			`errand.toml:4: policy.allowed_domains[1]: "*.com"`,
		},
		{
			"a name in allow_private", "[policy]\nallow_private = [\"localhost:80\"]\n", nil,
			`errand.toml:2: policy.allow_private[0]: "localhost:80"`,
		},
		{"bad rule", "[[policy.rules]]\nverdict = \"maybe\"\n", nil, `errand.toml:2`},
		{
			"site without https", "[[sites]]\nid = \"wiki\"\nhome = \"http://wiki.example.com/\"\nsearch = \"\"\n", nil,
			`errand.toml:3: sites[0].home: "http://wiki.example.com/" must start with https://`,
		},
		{
			"unknown default platform", "[search]\ndefault_platform = \"gogle\"\n", nil,
			`errand.toml:2: search.default_platform: "gogle" is not a searchable site of the catalogue`,
		},
		{
			"relative root", "[files]\nroots = [\"Documents\"]\n", nil,
			`errand.toml:2: files.roots[0]: "Documents" must start with / or ~/`,
		},
		{
			"unknown key of a plugin", "[plugins.files]\nenable = true\n", nil,
			`errand.toml:2: plugins.files.enable: unknown key; did you mean "enabled"?`,
		},
		{
			"plugin switch of a wrong type", "[plugins.files]\nenabled = 1\n", nil,
			`errand.toml:1: plugins.files: enabled must be true or false`,
		},
		{
			"preference of a wrong type", "[plugins.brief]\npreferred = \"yes\"\n", nil,
			`errand.toml:1: plugins.brief: preferred must be true or false`,
		},
		{
			"compiling of no effort", "[plugins.files]\ncompile_effort = 0\n", nil,
			`errand.toml:1: plugins.files: compile_effort must be a whole number from 1 to 60`,
		},
		{
			"compiling of more effort than there is", "[plugins.files]\ncompile_effort = 61\n", nil,
			`errand.toml:1: plugins.files: compile_effort must be a whole number from 1 to 60`,
		},
		{
			"compiling of an effort in words", "[plugins.files]\ncompile_effort = \"5m\"\n", nil,
			`errand.toml:1: plugins.files: compile_effort must be a whole number from 1 to 60`,
		},
		{
			"bad variable", "",
			[]string{"ERRAND_POLICY_SUBRESOURCES=listd"},
			`ERRAND_POLICY_SUBRESOURCES: policy.subresources: "listd" is not one of`,
		},
		{
			"unknown variable", "",
			[]string{"ERRAND_POLICY_SUBRESORCES=listed"},
			`ERRAND_POLICY_SUBRESORCES: unknown key; did you mean "ERRAND_POLICY_SUBRESOURCES"?`,
		},
		{
			"variable of a wrong type", "",
			[]string{"ERRAND_POLICY_REDACTION=sure"},
			`ERRAND_POLICY_REDACTION: policy.redaction: "sure" is not true or false`,
		},
		{
			"variable that was a flag", "",
			[]string{"ERRAND_BROWSER_SHOW=false"},
			`ERRAND_BROWSER_SHOW: browser.show: false is not a value any more; write "never"`,
		},
		{
			"pattern from a variable", "",
			[]string{"ERRAND_POLICY_ALLOWED_DOMAINS=@catalogue,exa mple"},
			`ERRAND_POLICY_ALLOWED_DOMAINS: policy.allowed_domains[1]: "exa mple"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Options{File: write(t, tt.toml), Env: append(tt.env, "HOME=/home/ann")})
			var faults Problems
			if !errors.As(err, &faults) {
				t.Fatalf("Load = %v, want faults", err)
			}
			if !strings.HasPrefix(i18n.English().Error(faults), tt.want) {
				t.Errorf("faults:\n%s\nwant: %s", i18n.English().Error(faults), tt.want)
			}
		})
	}
}

func TestAllProblemsAreReported(t *testing.T) {
	_, err := Load(Options{File: write(t, "[run]\nparallel = 0\nstep_timeout_ms = -1\n[ui]\ntheme = \"pink\"\n"), Env: []string{"HOME=/h"}})
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d faults, want 3:\n%v", n, err)
	}
}

func TestSources(t *testing.T) {
	l, err := Load(Options{
		File: write(t, "[policy]\nallowed_domains = [\"example.org\"]\n[plugins.hash]\nenabled = false\n[plugins.text]\ncompile_effort = 5\n[plugins.text.config]\nn = 3\n"),
		Env:  []string{"HOME=/home/ann", "ERRAND_BROWSER_SHOW=always", "ERRAND_POLICY_USER_GOAL_TOOLS=hash.*, text.*", "ERRAND_PLUGINS_FILES_ENABLED=false"},
	})
	must.Succeed(t, err)
	got := map[string]string{}
	for _, key := range []string{"policy.allowed_domains", "browser.show", "run.parallel"} {
		got[key] = l.Source(key)
	}
	want := map[string]string{
		"policy.allowed_domains": "errand.toml:2", "browser.show": "ERRAND_BROWSER_SHOW", "run.parallel": "default",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("sources (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"hash.*", "text.*"}, l.Policy.UserGoalTools); d != "" {
		t.Errorf("user_goal_tools (-want +got):\n%s", d)
	}
	for id, want := range map[string]bool{"hash": false, "files": false, "text": true, "other": true} {
		if l.Plugins.Enabled(id) != want {
			t.Errorf("plugin %s enabled = %t, want %t", id, !want, want)
		}
	}
	for id, want := range map[string]int{"hash": 1, "text": 5, "other": 1} {
		if got := l.Plugins.Effort(id); got != want {
			t.Errorf("effort of plugin %s = %d, want %d", id, got, want)
		}
	}
}

func TestNoFileIsNeeded(t *testing.T) {
	l, err := Load(Options{Env: []string{"HOME=" + t.TempDir()}})
	if err != nil || l.Paths.FileExists {
		t.Fatalf("Load = found %v, %v", l.Paths.FileExists, err)
	}
	missing := filepath.Join(t.TempDir(), "none.toml")
	_, err = Load(Options{File: missing, Env: []string{"HOME=/h"}})
	if want := missing + ": can't be read: " + missing + " does not exist"; i18n.English().Error(err) != want {
		t.Errorf("a missing named file: %v, want %s", err, want)
	}
	if _, err := Load(Options{}); err == nil {
		t.Error("no home folder is no error")
	}
}

// TestTemplate uncomments every line of the template: it must say the defaults.
func TestTemplate(t *testing.T) {
	var lines []string
	for line := range strings.Lines(string(Template())) {
		rest, commented := strings.CutPrefix(line, "#")
		if commented && !strings.HasPrefix(rest, " ") {
			line = rest
		}
		lines = append(lines, line)
	}
	l, err := Load(Options{File: write(t, strings.Join(lines, "")), Env: []string{"HOME=/home/ann"}})
	must.Succeed(t, err)
	got := l.Config
	if len(got.Sites) != 1 || len(got.Apps) != 1 || len(got.Policy.Rules) != 1 || len(got.LLM.Prices) != 1 || len(got.MCP.Servers) != 2 {
		t.Errorf("examples: %d sites, %d apps, %d rules, want one of each", len(got.Sites), len(got.Apps), len(got.Policy.Rules))
	}
	got.MCP.Servers = Default().MCP.Servers
	got.Sites, got.Apps, got.Policy.Rules, got.Plugins.ByID, got.LLM.Prices = Default().Sites, Default().Apps, Default().Policy.Rules, Default().Plugins.ByID, Default().LLM.Prices
	if d := cmp.Diff(Default(), got); d != "" {
		t.Errorf("template (-default +template):\n%s", d)
	}
	for _, key := range Keys() {
		name := key[strings.LastIndexByte(key, '.')+1:]
		if !strings.Contains(string(Template()), name) {
			t.Errorf("the template does not speak of %s", key)
		}
	}
}

// TestWriteReadsBack: what `config show` prints is a configuration.
func TestWriteReadsBack(t *testing.T) {
	l, err := Load(Options{File: write(t, "[policy]\nallowed_domains = [\"example.org\"]\n[[policy.rules]]\nverdict = \"deny\"\ntool = \"browser.*\"\n"), Env: []string{"HOME=/home/ann"}})
	must.Succeed(t, err)
	var b strings.Builder
	must.Succeed(t, Write(&b, l))
	var tree map[string]any
	if err := toml.Unmarshal([]byte(b.String()), &tree); err != nil {
		t.Fatalf("%v in:\n%s", err, b.String())
	}
	again, err := Load(Options{File: write(t, b.String()), Env: []string{"HOME=/home/ann"}})
	if err != nil {
		t.Fatalf("%v in:\n%s", err, b.String())
	}
	if d := cmp.Diff(l.Config, again.Config); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
}

// loadUserDirs loads the configuration of a home with a file user-dirs.dirs.
func loadUserDirs(t *testing.T, dirs string) (l *Loaded, home string) {
	t.Helper()
	home = t.TempDir()
	must.Succeed(t, os.MkdirAll(filepath.Join(home, ".config"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(home, ".config", "user-dirs.dirs"), []byte(dirs), 0o600))
	l, err := Load(Options{Env: []string{"HOME=" + home}})
	must.Succeed(t, err)
	return l, home
}

func TestKnownFolders(t *testing.T) {
	l, home := loadUserDirs(t, "# comment\nXDG_DOCUMENTS_DIR=\"$HOME/Документы\"\nXDG_DESKTOP_DIR=\"$HOME\"\n")
	tests := []struct{ path, want string }{
		{"~/Documents", home + "/Документы"},
		{"~/Documents/Reports", home + "/Документы/Reports"},
		{"~/Documents/../../etc", home + "/Документы/../../etc"},
		{"~/Desktop/a", home + "/Desktop/a"}, // a folder that is the home itself means "none"
		{"~", home},
		{"~ann/x", "~ann/x"},
		{"/etc/x", "/etc/x"},
		{"notes.txt", "notes.txt"},
	}
	for _, tt := range tests {
		if got := l.Paths.Resolve(tt.path); got != tt.want {
			t.Errorf("Resolve(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

// TestLocateUserFolder: a folder is also known by the name that it has on this machine.
func TestLocateUserFolder(t *testing.T) {
	l, home := loadUserDirs(t, "XDG_PICTURES_DIR=\"$HOME/Bilder\"\nXDG_TEMPLATES_DIR=\"$HOME/Vorlagen\"\nXDG_PUBLICSHARE_DIR=\"/srv/public\"\nXDG_MUSIC_DIR=\"$HOME/Музыка\"\n")
	tests := []struct{ path, want string }{
		{"~/Pictures/Z", home + "/Bilder/Z"},
		{"Bilder/Z", home + "/Bilder/Z"},
		{"bilder/Z", home + "/Bilder/Z"},
		{"музыка/Z", home + "/Музыка/Z"},
		{"~/Templates/x.txt", home + "/Vorlagen/x.txt"},
		{"~/Public/x", "/srv/public/x"},
		{"Bilder", "Bilder"}, // a new folder of that name
		{"projects/Bilder/Z", "projects/Bilder/Z"},
		{"Bilderbuch/Z", "Bilderbuch/Z"},
	}
	for _, tt := range tests {
		if got := l.Paths.Locate(tt.path); got != tt.want {
			t.Errorf("Locate(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestEveryKeyHasAVariable(t *testing.T) {
	seen := map[string]string{}
	for _, key := range Keys() {
		name := EnvName(key)
		if other, twice := seen[name]; twice {
			t.Errorf("%s sets both %s and %s", name, other, key)
		}
		seen[name] = key
		if typeOf(key) == nil || typeOf(key).Kind() == reflect.Invalid {
			t.Errorf("%s has no type", key)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(string(Template()))
	f.Add("[policy]\nallowed_domains = [\"a\", {b=1}]\n[[sites]]\n[plugins]\ndirs=1\n")
	f.Add("a.b.c = [[{}]]\n[[a]]\n[a.b]\n")
	f.Fuzz(func(t *testing.T, text string) {
		l := &Loaded{Config: Default(), Paths: Paths{File: "errand.toml", Home: "/h"}, sources: map[string]string{}}
		if at, _, whole := l.decode([]byte(text)); whole {
			l.check(at)
		}
	})
}

// TestLanguages: every language of the texts can be chosen, and no other.
func TestLanguages(t *testing.T) {
	for _, tag := range append([]string{""}, i18n.Tags()...) {
		l, err := Load(Options{File: write(t, "[ui]\nlanguage = \""+tag+"\"\n"), Env: []string{"HOME=/home/ann"}})
		if err != nil || l.UI.Language != tag {
			t.Errorf("%q: %v", tag, err)
		}
	}
	_, err := Load(Options{File: write(t, "[ui]\nlanguage = \"tlh\"\n"), Env: []string{"HOME=/home/ann"}})
	want := Problems{{Source: "errand.toml", Line: 2, Key: "ui.language", Message: message.New("config.not_allowed", "value", "tlh", "allowed", append([]string{""}, i18n.Tags()...))}}
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFaultsInRussian: a fault is said in the language of its reader, places and keys
// as they are.
func TestFaultsInRussian(t *testing.T) {
	_, err := Load(Options{File: write(t, "[run]\nparallel = 0\n"), Env: []string{"HOME=/home/ann"}})
	if got, want := i18n.ForTag("ru").Error(err), "errand.toml:2: run.parallel: 0 вне пределов от 1 до 64"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
