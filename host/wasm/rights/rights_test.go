package rights_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/host/wasm/rights"
	"errand/planner/message"
)

const base = `schema = 1
id = "notes"
version = "1.0.0"
module = "notes.wasm"
abi = "extism"
hosts = ["api.example.com", "!api.example.com/admin/"]
[[paths]]
root = "files.roots"
[limits]
memory = "16MiB"
fuel = 1000000
[config.token]
type = "secret"
hosts = ["api.example.com"]
[[tool]]
name = "notes.find"
function = "find"
description = "Finds"
side_effect_class = "read"
effect = "read"
`

func parse(t *testing.T, text string) *manifest.Manifest {
	t.Helper()
	m, err := manifest.Parse([]byte(strings.Replace(text, `"!api.example.com/admin/"`, `"!https://api.example.com/admin/"`, 1)))
	must.Succeed(t, err)
	return &m
}

// TestWidening edits the manifest of a plugin and wants what is said of the
// update, and whether it asks again.
func TestWidening(t *testing.T) {
	const addWrite = base + `[[tool]]
name = "notes.save"
function = "save"
description = "Saves"
side_effect_class = "write"
effect = "file"
`
	tests := []struct {
		name     string
		old, new string // in base
		needs    []string
		widens   bool
		want     string
	}{
		{"nothing", "", "", nil, false, ""},
		{"another version", `"1.0.0"`, `"2.0.0"`, nil, false, ""},
		{"a host", `"api.example.com", `, `"api.example.com", "b.example.com", `, nil, true, "reaches b.example.com"},
		{
			"a host less", `hosts = ["api.example.com", "!api.example.com/admin/"]`, "hosts = []", nil, false,
			"no longer: reaches api.example.com\nno longer: never reaches https://api.example.com/admin/",
		},
		{"an exception less", `, "!api.example.com/admin/"`, "", nil, true, "no longer: never reaches https://api.example.com/admin/"},
		{"an exception more", `"api.example.com", "!`, `"api.example.com", "!b.example.com", "!`, nil, false, "never reaches b.example.com"},
		{
			"a host under another pattern", `hosts = ["api.example.com"`, `hosts = ["*.example.com"`, nil, true,
			"reaches *.example.com\nno longer: reaches api.example.com",
		},
		{"write instead of read", `root = "files.roots"`, "root = \"files.roots\"\nmode = \"rw\"", nil, true, "also changes files.roots, which it only read before"},
		{"another folder", `[limits]`, "[[paths]]\nroot = \"inbox\"\n[limits]", nil, true, "reads inbox"},
		{"another folder to write to, said once", `[limits]`, "[[paths]]\nroot = \"inbox\"\nmode = \"rw\"\n[limits]", nil, true, "reads and changes inbox"},
		{"no folder", "[[paths]]\nroot = \"files.roots\"\n", "", nil, false, "no longer: reads files.roots"},
		{"more memory", `"16MiB"`, `"32MiB"`, nil, true, "limits.memory: 32MiB instead of 16MiB"},
		{"less memory", `"16MiB"`, `"8MiB"`, nil, false, "limits.memory: 8MiB instead of 16MiB"},
		{"fuel without a bound", "fuel = 1000000", "fuel = 0", nil, true, "limits.fuel: no limit instead of 1000000"},
		{"more fuel", "fuel = 1000000", "fuel = 2000000", nil, true, "limits.fuel: 2000000 instead of 1000000"},
		{"a longer time for one tool", `effect = "read"`, "effect = \"read\"\ntimeout_ms = 40000", nil, true, "limits.timeout_ms: 40000 instead of 30000"},
		{"more requests", `"16MiB"`, "\"16MiB\"\nhttp_requests = 1000", nil, true, "limits.http_requests: 1000 instead of 100"},
		{
			"the secret elsewhere", "type = \"secret\"\nhosts = [\"api.example.com\"]", "type = \"secret\"\nhosts = [\"api.example.com\", \"b.example.com\"]", nil, true,
			"sends the secret token to b.example.com",
		},
		{
			"the secret nowhere", "type = \"secret\"\nhosts = [\"api.example.com\"]", "type = \"secret\"", nil, false,
			"no longer: sends the secret token to api.example.com",
		},
		{
			"the secret in clear", "type = \"secret\"\nhosts = [\"api.example.com\"]", "type = \"string\"", nil, true,
			"reads the setting token, which it never saw before: it was a secret\nno longer: sends the secret token to api.example.com",
		},
		{"a new setting", "[config.token]", "[config.units]\ntype = \"int\"\n[config.token]", nil, true, "reads its settings: units"},
		{"a new secret", "[config.token]", "[config.key]\ntype = \"secret\"\n[config.token]", nil, false, ""},
		{"no secret", "[config.token]\ntype = \"secret\"\nhosts = [\"api.example.com\"]\n", "", nil, false, "no longer: sends the secret token to api.example.com"},
		{"the secret under another name", "[config.token]", "[config.key]", nil, true, "sends the secret key to api.example.com\nno longer: sends the secret token to api.example.com"},
		{
			"a stronger tool", "side_effect_class = \"read\"\neffect = \"read\"", "side_effect_class = \"write\"\neffect = \"file\"", nil, true,
			"tool notes.find: changes files (before: only reads)",
		},
		{"a tool that writes", base, addWrite, nil, true, "new tool notes.save (changes files)"},
		{
			"a tool that looks", base, base + "[[tool]]\nname = \"notes.list\"\nfunction = \"list\"\ndescription = \"L\"\nside_effect_class = \"read\"\neffect = \"read\"\n", nil, false,
			"new tool notes.list (only reads)",
		},
		{
			"words that lead to it", `effect = "read"`, "effect = \"read\"\ncan_achieve = [\"browser_search\", \"no goal\"]", nil, true,
			"notes.find is used for goals of browser_search",
		},
		{
			"a tool that words lead to", base, base + "[[tool]]\nname = \"notes.list\"\nfunction = \"list\"\ndescription = \"L\"\nside_effect_class = \"read\"\neffect = \"read\"\ncan_achieve = [\"list_links\"]\n", nil, true,
			"notes.list is used for goals of list_links\nnew tool notes.list (only reads)",
		},
		{"another name", `"notes.find"`, `"notes.search"`, nil, false, "new tool notes.search (only reads)\ntool notes.find is gone"},
		{"state", `abi = "extism"`, "abi = \"extism\"\nstate = \"sticky\"", nil, true, "keeps its state between calls"},
		{"a module that asks for more", "", "", []string{"http", "files"}, true, "its module asks for files"},
		{"widening first", `hosts = ["api.example.com"`, `hosts = ["b.example.com"`, nil, true, "reaches b.example.com\nno longer: reaches api.example.com"},
	}
	was := rights.FromManifest(parse(t, base), []string{"http"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(base, tt.old) {
				t.Fatalf("the manifest has no %q", tt.old)
			}
			needs := tt.needs
			if needs == nil {
				needs = []string{"http"}
			}
			changes := rights.Compare(was, rights.FromManifest(parse(t, strings.Replace(base, tt.old, tt.new, 1)), needs))
			var lines []string
			for _, c := range changes {
				lines = append(lines, i18n.English().Text(c.Text))
			}
			if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if rights.HasWidening(changes) != tt.widens {
				t.Errorf("widens is %v: %+v", !tt.widens, changes)
			}
		})
	}
}

// TestSettings: a setting that a plugin reads is a right, and one that it no longer reads
// because it is a secret is none.
func TestSettings(t *testing.T) {
	config := func(text string) rights.List {
		return rights.FromManifest(parse(t, strings.Replace(base, "[config.token]\ntype = \"secret\"\nhosts = [\"api.example.com\"]\n", text, 1)), nil)
	}
	const secret, hidden, text, number = "[config.k]\ntype = \"secret\"\nhosts = [\"a.example\"]\n", "[config.k]\ntype = \"secret\"\n", "[config.k]\ntype = \"string\"\n", "[config.k]\ntype = \"int\"\n"
	for _, tt := range []struct {
		name, was, is string
		widens        bool
		want          string
	}{
		{"a secret for no host becomes a text", hidden, text, true, "reads the setting k, which it never saw before: it was a secret"},
		{"a secret becomes a number", secret, number, true, "reads the setting k, which it never saw before: it was a secret\nno longer: sends the secret k to a.example"},
		{"a text becomes a secret for no host", text, hidden, false, "no longer reads the setting k: it is a secret now"},
		{"a text becomes a number", text, number, false, ""},
		{"a text is gone", text, "", false, "no longer: reads its settings: k"},
		{"a secret for no host is gone", hidden, "", false, ""},
		{"a text comes back", "", text, true, "reads its settings: k"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changes := rights.Compare(config(tt.was), config(tt.is))
			var said []message.Message
			for _, c := range changes {
				said = append(said, c.Text)
			}
			if diff := cmp.Diff(tt.want, strings.Join(english(said), "\n")); diff != "" || rights.HasWidening(changes) != tt.widens {
				t.Errorf("widens %v (-want +got):\n%s", rights.HasWidening(changes), diff)
			}
		})
	}
	if got := config(secret + strings.ReplaceAll(text, "k]", "m]")).SecretSettings(); !slices.Equal(got, []string{"k"}) {
		t.Errorf("secret settings are %v", got)
	}
	if got := english(config(text + strings.ReplaceAll(number, "k]", "m]")).Words(nil)); !slices.Contains(got, "reads its settings: k, m") {
		t.Errorf("words are %q", got)
	}
}

// TestWhoseWords: a tool whose answers were the words of others, and are its own
// from now on, is believed more than before.
func TestWhoseWords(t *testing.T) {
	own, others := rights.FromManifest(parse(t, base), nil), rights.FromManifest(parse(t, strings.Replace(base, `effect = "read"`, "effect = \"read\"\nuntrusted = true", 1)), nil)
	want := []rights.Change{{Text: message.New("rights.answers_own", "tool", "notes.find"), Widens: true}}
	if diff := cmp.Diff(want, rights.Compare(others, own)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = []rights.Change{{Text: message.New("rights.answers_of_others", "tool", "notes.find")}}
	if diff := cmp.Diff(want, rights.Compare(own, others)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWritesAnything: a tool that may change more than a call names is a wider right.
func TestWritesAnything(t *testing.T) {
	const below = "notes.save may change everything in the folder that "
	const anything = "tools that may change anything in their folders: notes.save"
	writes := func(list string) rights.List {
		return rights.FromManifest(parse(t, strings.Replace(base, `root = "files.roots"`, "root = \"files.roots\"\nmode = \"rw\"", 1)+
			"[[tool]]\nname = \"notes.save\"\nfunction = \"save\"\ndescription = \"S\"\nside_effect_class = \"write\"\neffect = \"file\"\n"+list+
			"\nargs_schema = '{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"format\":\"path\"},\"into\":{\"type\":\"string\",\"format\":\"path\"}}}'\n"), nil)
	}
	for _, tt := range []struct {
		name, was, is string
		widens        bool
		want          string
	}{
		{"anything", `writes = ["path"]`, `writes = ["*"]`, true, anything},
		{"anything, before only what is marked", "", `writes = ["*"]`, true, anything},
		{"only what a call names", `writes = ["*"]`, `writes = ["path"]`, false, "no longer: " + anything},
		{"another argument", `writes = ["path"]`, `writes = ["into"]`, true, below + "into names\nno longer: " + below + "path names"},
		{"one more argument", `writes = ["path"]`, "", true, below + "into names"},
		{"below what a call names", "writes = [\"path\"]\nwrites_itself = [\"path\"]", `writes = ["path"]`, true, below + "path names"},
		{"one of two", "writes_itself = [\"path\", \"into\"]", `writes_itself = ["into"]`, true, below + "path names"},
		{"only itself", `writes = ["path"]`, "writes = [\"path\"]\nwrites_itself = [\"path\"]", false, "no longer: " + below + "path names"},
		{"itself, then anything", "writes = [\"path\"]\nwrites_itself = [\"path\"]", `writes = ["*"]`, true, anything},
		{"what is marked", `writes = ["path", "into"]`, "", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changes := rights.Compare(writes(tt.was), writes(tt.is))
			var said []message.Message
			for _, c := range changes {
				said = append(said, c.Text)
			}
			if got := strings.Join(english(said), "\n"); got != tt.want || rights.HasWidening(changes) != tt.widens {
				t.Errorf("%q, widens %v; want %q, %v", got, rights.HasWidening(changes), tt.want, tt.widens)
			}
		})
	}
}

func english(messages []message.Message) (lines []string) {
	for _, m := range messages {
		lines = append(lines, i18n.English().Text(m))
	}
	return lines
}

func TestWords(t *testing.T) {
	text := strings.Replace(base, `root = "files.roots"`, "root = \"files.roots\"\nmode = \"rw\"\nquota = \"2MiB\"\n[[paths]]\nroot = \"inbox\"", 1)
	text = strings.Replace(text, `"16MiB"`, "\"1GiB\"\nlog_lines = 5000", 1) + `[[tool]]
name = "notes.save"
function = "save"
description = "Saves"
side_effect_class = "write"
effect = "file"
can_achieve = ["file_operation", "create_file"]
`
	l := rights.FromManifest(parse(t, text), nil)
	got := strings.Join(english(l.Words(map[string][]string{"files.roots": {"/home/ann/Documents", "/home/ann/Desktop"}})), "\n")
	want := `reaches api.example.com, if your policy allows them
never reaches https://api.example.com/admin/
reads and changes files.roots: /home/ann/Documents, /home/ann/Desktop (at most 2MiB a call, 2MiB a file)
reads inbox: no folder is granted
sends the secret token to api.example.com
read-only tools: notes.find
tools that change files: notes.save
tools that may change anything in their folders: notes.save
notes.save is used for goals of create_file, file_operation
limits above the default: log_lines 5000 (default 1000), memory 1GiB (default 64MiB)`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	nothing := rights.FromManifest(parse(t, `schema = 1
id = "a"
version = "1"
module = "a.wasm"
abi = "wasi"
[[tool]]
name = "a"
description = "A"
side_effect_class = "read"
effect = "read"
`), nil)
	if diff := cmp.Diff([]string{"reaches no host", "uses no files", "read-only tools: a"}, english(nothing.Words(nil))); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

// TestWordsNoLongerLead: a goal less is no more, and is said with the tool where
// that is gone, too.
func TestWordsNoLongerLead(t *testing.T) {
	found := strings.Replace(base, `effect = "read"`, "effect = \"read\"\ncan_achieve = [\"browser_search\"]", 1)
	for name, tt := range map[string]struct{ is, want string }{
		"the goal":  {base, "no longer: notes.find is used for goals of browser_search"},
		"the tool":  {strings.ReplaceAll(base, "notes.find", "notes.seek"), "tool notes.find is gone"},
		"neither":   {found, ""},
		"other key": {strings.Replace(found, "browser_search", "list_links", 1), "no longer: notes.find is used for goals of browser_search"},
	} {
		var narrower []string
		for _, c := range rights.Compare(rights.FromManifest(parse(t, found), nil), rights.FromManifest(parse(t, tt.is), nil)) {
			if !c.Widens && c.Text.Code != "rights.new_tool" {
				narrower = append(narrower, i18n.English().Text(c.Text))
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(narrower, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, line := range []string{"", "host", "host allow", "host allow ", "teleport all moon", "limit lots memory", "limit -1 memory", "quota 1MiB files.roots", "host  x"} {
		if l, err := rights.Parse([]string{line}); err == nil {
			t.Errorf("%q was read as %v", line, l)
		}
	}
}

// anyList makes a list of few things, so that two of them often speak of the
// same.
func anyList(r *rand.Rand) rights.List {
	choices := []string{
		"host allow a.example", "host allow b.example", "host deny c.example", "folder ro x", "folder rw x", "folder ro y", "quota 5 x", "quota 9 x", "max_file 3 x",
		"secret a.example k", "secret !b.example k", "setting text k", "setting secret k", "setting text m", "tool read/read t", "tool write/file t", "tool write/input t", "tool auth/commit t", "tool read/navigate t", "tool write/commit u", "goal search t", "goal list u", "below path t", "below into t", "writes any t", "part preview t", "phrase t shout {text}", "effect t saved",
		"limit 5 memory", "limit 99999999999 memory", "limit none fuel", "limit 7 fuel", "state sticky calls", "needs module http",
	}
	var lines []string
	for _, c := range choices {
		if r.Intn(3) == 0 && !slices.ContainsFunc(lines, func(l string) bool {
			a, b := strings.Fields(c), strings.Fields(l)
			return a[0] == "tool" && b[0] == "tool" && a[2] == b[2] // a manifest has no tool twice
		}) {
			lines = append(lines, c)
		}
	}
	l, err := rights.Parse(lines)
	if err != nil {
		panic(err)
	}
	return l
}

// TestLaws: nothing differs from itself; taking away never widens, and adding
// back what was taken away does or is nothing; what two updates in turn did not
// widen, one update from the first to the last does not; a list is what its
// lines say.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20_000 {
		a, b, c := anyList(r), anyList(r), anyList(r)
		if changes := rights.Compare(a, a); len(changes) != 0 {
			t.Fatalf("%v differs from itself: %v", a, changes)
		}
		if !rights.HasWidening(rights.Compare(a, b)) && !rights.HasWidening(rights.Compare(b, c)) && rights.HasWidening(rights.Compare(a, c)) {
			t.Fatalf("two steps that widen nothing, and one that does:\n%v\n%v\n%v\n%v", a, b, c, rights.Compare(a, c))
		}
		if !slices.Equal(a, b) && !rights.HasWidening(rights.Compare(a, b)) && !rights.HasWidening(rights.Compare(b, a)) && grants(a) != grants(b) {
			t.Fatalf("each is within the other, and they differ:\n%v\n%v", a, b)
		}
		back, err := rights.Parse(a.Lines())
		if err != nil || !slices.Equal(a, back) || a.Digest() != back.Digest() {
			t.Fatalf("%v was read back as %v (%v)", a, back, err)
		}
		if len(a) == 0 {
			continue
		}
		i := r.Intn(len(a))
		less := slices.Delete(slices.Clone(a), i, i+1)
		if denies := strings.HasPrefix(a[i].String(), "host deny") || strings.HasPrefix(a[i].String(), "secret !"); !denies && a[i].Kind != rights.Limit && rights.HasWidening(rights.Compare(a, less)) {
			t.Fatalf("without %v it may do more: %v", a[i], rights.Compare(a, less))
		}
	}
}

// grants are the lines that open something by themselves: a denial without an
// opening is nothing, and so are a quota without a folder, a usual limit, and a
// tool that looks.
func grants(l rights.List) string {
	var lines []string
	for _, line := range l.Lines() {
		f := strings.Fields(line)
		switch {
		case f[0] == "host" && f[1] == "allow", f[0] == "folder", f[0] == "secret" && f[1][0] != '!', f[0] == "state", f[0] == "goal", f[0] == "needs", f[0] == "part", f[0] == "phrase", f[0] == "effect", f[0] == "below", f[0] == "writes", f[0] == "setting" && f[1] == "text":
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// TestEveryLevelOfAToolHasWords: what a tool may do is never said in the words of
// its manifest, in any language, and no two levels are said the same way.
func TestEveryLevelOfAToolHasWords(t *testing.T) {
	effects := []tool.Effect{tool.EffectRead, tool.EffectNavigate, tool.EffectInput, tool.EffectCommit, tool.EffectFile}
	for _, tag := range i18n.Tags() {
		language := i18n.ForTag(tag)
		seen := map[string]string{}
		for _, class := range []tool.SideEffectClass{tool.Read, tool.Write, tool.Auth} {
			for _, effect := range effects {
				if class == tool.Read && effect.Class() != tool.Read {
					continue // no tool may be
				}
				level := string(class) + "/" + string(effect)
				l, err := rights.Parse([]string{"tool " + level + " t"})
				must.Succeed(t, err)
				lines := l.Words(nil)
				many := lines[len(lines)-1]
				one, ok := rights.Compare(nil, l)[0].Text.Params["does"].(message.Message)
				if !ok {
					t.Fatalf("%s: a new tool is %v", level, rights.Compare(nil, l)[0].Text)
				}
				for _, m := range []message.Message{one, many} {
					text := language.Text(m)
					if _, verbatim := m.Text(); verbatim || !language.Has(m.Code) || strings.Contains(text, level) {
						t.Errorf("%s: %s is said %q", tag, level, text)
					}
					if other, ok := seen[text]; ok {
						t.Errorf("%s: %s and %s are both said %q", tag, level, other, text)
					}
					seen[text] = level
				}
			}
		}
	}
}
