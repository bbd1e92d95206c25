package plugins_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
	"errand/host/wasm/trial"
	"errand/planner/message"
	"errand/plugins"
)

// built is the folder of built plugins: PLUGINS_DIST, or they are built from
// their sources. cache keeps their compiled code between tests.
var built, cache string

// bundledIDs are the plugins that the program carries.
var bundledIDs = []string{"archive", "extract", "files", "hash", "http", "json", "text"}

func TestMain(m *testing.M) {
	code, err := withPlugins(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func withPlugins(run func() int) (int, error) {
	dir, err := os.MkdirTemp("", "plugins")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	cache = filepath.Join(dir, "cache")
	if built = os.Getenv("PLUGINS_DIST"); built != "" {
		return run(), nil
	}
	built = filepath.Join(dir, "dist")
	cmd := exec.Command("go", "run", "errand/build/plugin-pack", "-src", ".", "-out", built)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the plugins: %v\n%s", err, out)
	}
	return run(), nil
}

// tools loads every plugin with the given folders as files.roots.
func tools(t testing.TB, roots ...string) map[string]tool.Tool {
	t.Helper()
	h := wasm.New(wasm.Options{
		Roots:    map[string][]string{"files.roots": roots},
		CacheDir: cache, KeyFile: cache + ".key",
		Log: func(_ context.Context, plugin, level string, line message.Message) {
			t.Logf("%s: %s: %s", plugin, level, line)
		},
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	byName := map[string]tool.Tool{}
	for _, id := range bundledIDs {
		p, err := h.LoadBundled(os.DirFS(filepath.Join(built, id)))
		if err != nil {
			t.Fatalf("load %s: %v", id, err)
		}
		for _, tl := range p.Tools() {
			byName[tl.Spec().Name] = tl
		}
	}
	return byName
}

// TestCases runs the examples that the manifests state.
func TestCases(t *testing.T) {
	ran := 0
	for _, id := range bundledIDs {
		outcomes, err := trial.Run(t.Context(), os.DirFS(filepath.Join(built, id)), trial.Options{})
		must.Succeed(t, err)
		ran += len(outcomes)
		for _, o := range outcomes {
			if !o.HasPassed() {
				t.Errorf("%s: %s: %+v %v", o.Tool, o.Case, o.Diffs, o.Error)
			}
		}
	}
	if ran < 64 {
		t.Errorf("%d cases ran; the manifests have at least 64", ran)
	}
}

func codeOf(r tool.Result) string {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

func TestSpecs(t *testing.T) {
	root := t.TempDir()
	all := tools(t, root)
	names := []string{}
	for name, tl := range all {
		names = append(names, name)
		spec := tl.Spec()
		if err := spec.Validate(); err != nil {
			t.Error(err)
		}
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.ArgsSchema))
		must.Succeed(t, err)
		c := jsonschema.NewCompiler()
		must.Succeed(t, c.AddResource("args.json", schema))
		if _, err := c.Compile("args.json"); err != nil {
			t.Errorf("%s: args_schema: %v", name, err)
		}
		if spec.Digest == "" || spec.Version == "" || !strings.HasPrefix(spec.Source, "plugin:") {
			t.Errorf("%s: source %q, version %q, digest %q", name, spec.Source, spec.Version, spec.Digest)
		}
	}
	slices.Sort(names)
	want := []string{
		"archive.create", "archive.extract", "archive.list", "archive.remove_extracted", "extract.text", "files.append", "files.create_file", "files.create_folder",
		"files.cut_back", "files.find", "files.hash", "files.list", "files.read", "files.size",
		"hash.md5", "hash.sha256", "http.fetch", "json.query", "json.reshape", "text.stats",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	folder := all["files.create_folder"].Spec()
	if diff := cmp.Diff([]string{root}, folder.Paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	for _, key := range []string{"file_operation", "create_folder"} {
		if !slices.Contains(folder.CanAchieve, key) {
			t.Errorf("files.create_folder can_achieve %v lacks %q", folder.CanAchieve, key)
		}
	}
}

// TestFiles is a story: each step goes on where the last one left the folder.
func TestFiles(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	all := tools(t, root)
	at := func(rel string) string { return filepath.Join(root, rel) }
	write(t, filepath.Join(outside, "secret"), "s")
	for name, target := range map[string]string{"out": outside, "dangling": "nowhere"} {
		must.Succeed(t, os.Symlink(target, at(name)))
	}
	tests := []struct {
		name  string
		tool  string
		args  map[string]any
		want  any // payload, or
		code  string
		facts []string
	}{
		{"folder", "files.create_folder", args("path", at("Reports")), made(at("Reports"), true), "", facts("exists:", at("Reports"))},
		{"folder again", "files.create_folder", args("path", at("Reports")), made(at("Reports"), false), "", facts("exists:", at("Reports"))},
		{"folders above it", "files.create_folder", args("path", at("a/b/c")), made(at("a/b/c"), true), "", facts("exists:", at("a/b/c"))},
		{"dots inside", "files.create_folder", args("path", at("a/../a/d")), made(at("a/d"), true), "", facts("exists:", at("a/d"))},
		{"a name of any kind", "files.create_folder", args("path", at("Отчёты за май")), made(at("Отчёты за май"), true), "", facts("exists:", at("Отчёты за май"))},
		{"out by dots", "files.create_folder", args("path", at("../../etc/x")), nil, "path_outside_roots", nil},
		{"relative", "files.create_folder", args("path", "../../etc/x"), nil, "bad_path", nil},
		{"the root itself", "files.create_folder", args("path", root), nil, "bad_path", nil},
		{"out by a link", "files.create_folder", args("path", at("out/x")), nil, "not_permitted", nil},
		{"file out by a link", "files.create_file", args("path", at("out/x")), nil, "not_permitted", nil},

		{"file", "files.create_file", args("path", at("Reports/n.txt"), "content", "hello /etc/passwd"), made(at("Reports/n.txt"), true), "", facts("exists:", at("Reports/n.txt"))},
		{"same file again", "files.create_file", args("path", at("Reports/n.txt"), "content", "hello /etc/passwd"), made(at("Reports/n.txt"), false), "", facts("exists:", at("Reports/n.txt"))},
		{"not over a file", "files.create_file", args("path", at("Reports/n.txt"), "content", "other"), nil, "file_exists", nil},
		{"content that looks like a path", "files.create_file", args("path", at("p.txt"), "content", "/etc/passwd"), made(at("p.txt"), true), "", facts("exists:", at("p.txt"))},
		{"empty file", "files.create_file", args("path", at("e.txt")), made(at("e.txt"), true), "", facts("exists:", at("e.txt"))},
		{"not without its folder", "files.create_file", args("path", at("no/n.txt")), nil, "no_folder", nil},
		{"folder over a file", "files.create_folder", args("path", at("e.txt")), nil, "file_in_the_way", nil},
		{"file over a folder", "files.create_file", args("path", at("a")), nil, "folder_in_the_way", nil},
		{"folder over a link that leads nowhere", "files.create_folder", args("path", at("dangling")), nil, "file_in_the_way", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := all[tt.tool].Call(t.Context(), tool.Call{Tool: tt.tool, Args: tt.args})
			must.Succeed(t, err)
			code := ""
			if got.Error != nil {
				code = got.Error.Code
			}
			if code != tt.code {
				t.Fatalf("code %q, want %q: %+v", code, tt.code, got.Error)
			}
			if diff := cmp.Diff(tt.want, got.Payload); diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.facts, got.Facts); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			if now := got.OK && tt.want.(map[string]any)["created"] == true; now != (got.Undo != nil) {
				t.Errorf("undo is %+v", got.Undo)
			}
			if got.Error != nil && strings.Contains(i18n.English().Text(got.Error.Message), "/root/0") {
				t.Errorf("the message names a path that nobody has: %s", i18n.English().Text(got.Error.Message))
			}
		})
	}
	if got := read(t, at("p.txt")); got != "/etc/passwd" {
		t.Errorf("content was written as %q", got)
	}
	if got := list(t, outside); !slices.Equal(got, []string{"secret"}) {
		t.Errorf("outside the root there is now %v", got)
	}
	if got := list(t, root); !slices.Equal(got, []string{"Reports", "a", "dangling", "e.txt", "out", "p.txt", "Отчёты за май"}) {
		t.Errorf("the root holds %v", got)
	}
}

// TestErrorTexts: an error of a bundled plugin is said in every language, with the
// paths of this machine. Loaded from elsewhere, the same plugin speaks for itself.
func TestErrorTexts(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "Отчёты")
	must.Succeed(t, os.Mkdir(path, 0o700))
	h := wasm.New(wasm.Options{Roots: map[string][]string{"files.roots": {root}}, CacheDir: cache, KeyFile: cache + ".key"})
	defer h.Close(context.WithoutCancel(t.Context()))
	for name, load := range map[string]func(fs.FS) (*wasm.Plugin, error){"bundled": h.LoadBundled, "another": h.Load} {
		p, err := load(os.DirFS(filepath.Join(built, "files")))
		must.Succeed(t, err)
		for _, tl := range p.Tools() {
			if tl.Spec().Name != "files.create_file" {
				continue
			}
			r, err := tl.Call(t.Context(), tool.Call{Tool: "files.create_file", Args: args("path", path)})
			if err != nil || r.Error == nil {
				t.Fatalf("%+v, %v", r, err)
			}
			english, hint := path+" is a folder", "choose another name"
			want, wantHint := message.New("plugin.says", "plugin", "files", "text", english), message.New("plugin.suggests", "plugin", "files", "text", hint)
			said, saidInEnglish := "плагин files сообщает: "+english, "plugin files says: "+english
			if name == "bundled" {
				want = message.New("bundled.path_is_folder", "path", path, message.Fallback, english)
				wantHint = message.New("bundled.files_choose_name", message.Fallback, hint)
				said, saidInEnglish = path+" — папка", english
			}
			if !r.Error.Message.Equal(want) || !r.Error.Hint.Equal(wantHint) {
				t.Errorf("%s: got %v and %v", name, r.Error.Message, r.Error.Hint)
			}
			if got := i18n.ForTag("ru").Text(r.Error.Message); got != said {
				t.Errorf("%s: %q, want %q", name, got, said)
			}
			if got := i18n.English().Text(r.Error.Message); got != saidInEnglish {
				t.Errorf("%s: %q, want %q", name, got, saidInEnglish)
			}
		}
	}
}

func TestBundled(t *testing.T) {
	folders, err := plugins.BundledFolders()
	if err == plugins.ErrNotBuilt {
		if len(folders) > 0 {
			t.Errorf("not built, and %d folders", len(folders))
		}
		return
	}
	must.Succeed(t, err)
	for id, folder := range folders {
		text, err := fs.ReadFile(folder, "plugin.toml")
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		// The program reads these without the checks.
		want, err := manifest.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		for i := range want.Tools {
			want.Tools[i].Cases, want.Tools[i].Writes = nil, want.Spec(want.Tools[i]).Writes
		}
		if got, err := manifest.ParseBundled(text); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%s: unchecked it is another: %v\n%s", id, err, cmp.Diff(want, got))
		}
	}
}

func args(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func made(path string, now bool) any { return args("path", path, "created", now) }

func facts(kind, path string) []string { return []string{kind + path} }

func write(t *testing.T, name, content string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(name, []byte(content), 0o600))
}

func read(t *testing.T, name string) string {
	t.Helper()
	return string(must.ReadFile(t, name))
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Succeed(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// BenchmarkCall times a call of a plugin that is compiled already.
func BenchmarkCall(b *testing.B) {
	sha := tools(b)["hash.sha256"]
	call := tool.Call{Tool: "hash.sha256", Args: args("input", "abc")}
	if _, err := sha.Call(b.Context(), call); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r, err := sha.Call(b.Context(), call); err != nil || !r.OK {
			b.Fatal(r.Error, err)
		}
	}
}
