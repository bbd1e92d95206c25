package kit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/tool"
	"errand/host/wasm/inspect"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
	"errand/host/wasm/trial"
)

// made creates a new plugin in a folder of its own.
func made(t *testing.T, p kit.Plan) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), p.Name)
	if _, err := kit.New(folder, p); err != nil {
		t.Fatal(err)
	}
	return folder
}

// built builds a plugin with the installed compiler. Without one it skips the test, except on the
// build server.
func built(t *testing.T, folder string) kit.BuildResult {
	t.Helper()
	var said bytes.Buffer
	b, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: os.Environ(), Output: &said})
	if e := tool.AsError(err); e != nil && e.Code == "toolchain_missing" && os.Getenv("CI") != "true" {
		t.Skipf("%v; %s", e, i18n.English().Text(e.Hint))
	} else if e != nil {
		t.Fatalf("%v; %s\n%s", e, i18n.English().Text(e.Hint), said.String())
	}
	return b
}

// TestTemplates checks that a new plugin builds and passes its cases, has the same digest in
// another folder, and uses its own name everywhere.
func TestTemplates(t *testing.T) {
	for i, lang := range kit.Langs {
		builds := lang // the detected language
		if lang == kit.TypeScript {
			builds = kit.JavaScript
		}
		for _, abi := range []manifest.ABI{manifest.WASI, manifest.Extism} {
			if lang == kit.TypeScript && abi == manifest.Extism {
				continue // differs from JavaScript's in one file, which is the same for both
			}
			if !tier.IsLong() && lang != kit.TypeScript && (abi == manifest.WASI) != (i%2 == 0) {
				continue // the shorter tier builds each language once, and both ABIs
			}
			if !tier.IsLong() && (lang == kit.JavaScript || lang == kit.AssemblyScript) {
				continue // TypeScript has the same tools
			}
			t.Run(string(lang)+" "+string(abi), func(t *testing.T) {
				t.Parallel()
				folder := made(t, kit.Plan{Name: "my-plugin", Lang: lang, ABI: abi})
				noPlaceholders(t, folder)
				if lang == kit.TypeScript || lang == kit.JavaScript && abi == manifest.Extism {
					linkModules(t, folder)
				}
				b := built(t, folder)
				if b.Lang != builds || !b.Changed || b.Compiler == "" {
					t.Errorf("built %+v", b)
				}
				outcomes, err := trial.Run(t.Context(), os.DirFS(folder), trial.Options{})
				must.Succeed(t, err)
				for _, o := range outcomes {
					if !o.HasPassed() {
						t.Errorf("%s: %+v", o.Case, o.Diffs)
					}
				}
				if len(outcomes) != 3 {
					t.Errorf("%d cases ran", len(outcomes))
				}
				module := must.ReadFile(t, b.Module)
				p, err := inspect.Measure(module)
				if err != nil || p.Debug > 0 || !p.Named {
					t.Errorf("%d bytes for debugging, names: %v, %v", p.Debug, p.Named, err)
				}
				if home, err := os.UserHomeDir(); err != nil || bytes.Contains(module, []byte(folder)) || home != "/" && bytes.Contains(module, []byte(home+"/")) {
					t.Errorf("the module holds paths of this machine (%v)", err)
				}
				if abi == manifest.Extism && lang == kit.AssemblyScript || builds == kit.JavaScript && os.Getenv("ERRAND_TEST") != "long" {
					return // slow, and the language's other template is tested
				}
				other := made(t, kit.Plan{Name: "my-plugin", Lang: lang, ABI: abi})
				if builds == kit.JavaScript {
					linkModules(t, other)
				}
				if again := built(t, other); again.SHA256 != b.SHA256 {
					t.Errorf("in another folder it came out as %s, in the first as %s", again.SHA256, b.SHA256)
				}
			})
		}
	}
}

func noPlaceholders(t *testing.T, folder string) {
	t.Helper()
	must.Succeed(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(folder, name))
		if bytes.Contains(b, []byte("{{")) && bytes.Contains(b, []byte("}}")) && !strings.HasSuffix(name, ".rs") {
			t.Errorf("%s has a place that was not filled", name)
		}
		return err
	}))
}

func TestNewRefuses(t *testing.T) {
	full := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(full, "mine.txt"), nil, 0o600))
	tests := []struct {
		name   string
		folder string
		plan   kit.Plan
		code   string
	}{
		{"a folder that holds something", full, kit.Plan{Name: "a", Lang: kit.Go}, "folder_not_empty"},
		{"a file in place of the folder", filepath.Join(full, "mine.txt"), kit.Plan{Name: "a", Lang: kit.Go}, "not_written"},
		{"a name that is no id", filepath.Join(full, "new"), kit.Plan{Name: "My Plugin", Lang: kit.Go}, "bad_id"},
		{"a way out of the folder", filepath.Join(full, "new"), kit.Plan{Name: "../x", Lang: kit.Go}, "bad_id"},
		{"no such ABI", filepath.Join(full, "new"), kit.Plan{Name: "a", Lang: kit.Go, ABI: "wasi2"}, "unknown_abi"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := kit.New(tt.folder, tt.plan)
			wantCode(t, err, tt.code)
			if _, err := os.Stat(filepath.Join(full, "new")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("something was made")
			}
		})
	}
	if _, err := kit.New(t.TempDir(), kit.Plan{Name: "a", Lang: kit.Go}); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	e := tool.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("error is %v, want %s", err, code)
	}
	if e.Hint.IsZero() && code != "build_failed" && code != "not_written" {
		t.Errorf("%v comes without a hint", e)
	}
}

// TestMissingToolchain checks that an error names the missing compiler and how to install it.
func TestMissingToolchain(t *testing.T) {
	empty := t.TempDir()
	for lang, cure := range map[kit.Lang]string{
		kit.Go: "Go 1.24", kit.Rust: "libstd-rust-dev-wasm32", kit.C: "wasi-libc", kit.CPP: "libc++-dev-wasm32", kit.AssemblyScript: "Node.js", kit.JavaScript: "Node.js", kit.TypeScript: "Node.js",
	} {
		t.Run(string(lang), func(t *testing.T) {
			folder := made(t, kit.Plan{Name: "a", Lang: lang})
			_, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: []string{"PATH=" + empty + string(filepath.ListSeparator) + "."}})
			wantCode(t, err, "toolchain_missing")
			if hint := i18n.English().Text(tool.AsError(err).Hint); !strings.Contains(hint, cure) {
				t.Errorf("hint %q does not name %q", hint, cure)
			}
		})
	}
}

// TestIncompleteToolchain checks that a compiler that can't make a module is skipped for one that
// can.
func TestIncompleteToolchain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are scripts for sh")
	}
	tests := []struct {
		lang   kit.Lang
		name   string
		script string
		say    string
	}{
		{kit.Go, "go", "echo go1.20.3", "go1.20.3"},
		{kit.Rust, "rustc", "echo /nowhere", "no standard library"},
		{kit.C, "clang", "echo x86-64", "does not support WebAssembly"},
		{kit.C, "clang-17", "case $1$2 in --print-targets) echo wasm32;; *) echo crt1-command.o;; esac", "wasi-libc"},
		{kit.CPP, "clang-17", "case $1$2 in --print-targets) echo wasm32;; *crt1*) echo /crt1-command.o;; *libgcc*) echo /bin/sh;; *) echo libc++abi.a;; esac", "the C++ library"},
		{kit.JavaScript, "node", "echo v20", "npm, which could fetch it, is not on the PATH"},
		{kit.AssemblyScript, "node", "echo v20", "npm, which could fetch it, is not on the PATH"},
	}
	for _, tt := range tests {
		t.Run(string(tt.lang)+" "+tt.name, func(t *testing.T) {
			bin := t.TempDir()
			must.Succeed(t, os.WriteFile(filepath.Join(bin, tt.name), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700))
			_, err := kit.Build(t.Context(), made(t, kit.Plan{Name: "a", Lang: tt.lang}), kit.BuildOptions{Env: []string{"PATH=" + bin}})
			wantCode(t, err, "toolchain_missing")
			if !strings.Contains(i18n.English().Error(err), tt.say) {
				t.Errorf("%q does not say %q", err, tt.say)
			}
		})
	}
}

// TestFailedBuildKeepsModule checks that a failed build shows the compiler's messages and keeps
// the module.
func TestFailedBuildKeepsModule(t *testing.T) {
	folder := made(t, kit.Plan{Name: "a", Lang: kit.C})
	b := built(t, folder)
	source := filepath.Join(folder, "plugin.c")
	must.Succeed(t, os.WriteFile(source, []byte("int main(void) { return nonsense; }\n"), 0o600))
	var said bytes.Buffer
	_, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: os.Environ(), Output: &said})
	wantCode(t, err, "build_failed")
	if !strings.Contains(said.String(), "nonsense") {
		t.Errorf("the compiler said %q", said.String())
	}
	if again, err := kit.Build(t.Context(), folder, kit.BuildOptions{AsItIs: true}); err != nil || again.SHA256 != b.SHA256 || again.Changed {
		t.Errorf("the module is now %+v, %v; it was %s", again, err, b.SHA256)
	}
	entries, err := os.ReadDir(folder)
	must.Succeed(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".build") || strings.HasSuffix(e.Name(), ".new") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	const library = "\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x06\x01\x02go\x00\x00\x0a\x04\x01\x02\x00\x0b" // exports go
	const head = "schema = 1\nid = \"a\"\nversion = \"1\"\nmodule = \"a.wasm\"\nabi = \"wasi\"\n"
	const good = head + "[[tool]]\nname = \"a\"\ndescription = \"d\"\nside_effect_class = \"read\"\neffect = \"read\"\n"
	tests := []struct {
		name  string
		files map[string]string
		asIs  bool
		code  string
	}{
		{"no manifest", nil, false, "no_manifest"},
		{"a manifest with faults", map[string]string{"plugin.toml": "schema = 2\n"}, false, "bad_manifest"},
		{"no sources", map[string]string{"plugin.toml": good}, false, "no_sources"},
		{"no module", map[string]string{"plugin.toml": good}, true, "no_module"},
		{"a module that is none", map[string]string{"plugin.toml": good, "a.wasm": "MZ"}, true, "bad_module"},
		{"a component", map[string]string{"plugin.toml": good, "a.wasm": "\x00asm\x0d\x00\x01\x00"}, true, "unsupported_module"},
		{"a module without exports", map[string]string{"plugin.toml": good, "a.wasm": "\x00asm\x01\x00\x00\x00"}, true, "unsupported_module"},
		{"a library for a command", map[string]string{"plugin.toml": good, "a.wasm": library}, true, "wrong_abi"},
		{"a library without the tool", map[string]string{"plugin.toml": strings.Replace(good, "\"wasi\"", "\"extism\"", 1) + "function = \"do\"\n", "a.wasm": library}, true, "no_such_function"},
		{"what the linker refuses", map[string]string{"plugin.toml": good, "main.c": "int main(void) { return 0; }", "b.c": "int main(void) { return 0; }"}, false, "build_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, text := range tt.files {
				must.Succeed(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
			}
			_, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: os.Environ(), AsItIs: tt.asIs})
			if e := tool.AsError(err); e != nil && e.Code == "toolchain_missing" && os.Getenv("CI") != "true" {
				t.Skip(e)
			}
			if e := tool.AsError(err); tt.asIs {
				if e == nil || e.Code != tt.code || e.Hint.IsZero() {
					t.Fatalf("error is %v, want %s", err, tt.code)
				}
				if doc, err := os.ReadFile(filepath.Join(folder, "plugin.toml")); err != nil || strings.Contains(string(doc), "sha256") {
					t.Errorf("it was vouched for all the same (%v):\n%s", err, doc)
				}
				return
			}
			wantCode(t, err, tt.code)
		})
	}
}
