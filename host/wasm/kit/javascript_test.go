package kit_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/host/wasm/kit"
	"errand/host/wasm/manifest"
	"errand/host/wasm/trial"
)

// modules are the npm packages of the JavaScript template. npm installs them once for all tests
// except one.
var modules = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "errand-kit-modules-")
	if err != nil {
		return "", err
	}
	shared = dir
	folder := filepath.Join(dir, "plugin")
	_, err = kit.New(folder, kit.Plan{Name: "a", Lang: kit.JavaScript})
	return filepath.Join(folder, "node_modules"), err
})

// shared is the folder of modules, "" before the first use.
var shared string

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != "" {
		if err := os.RemoveAll(shared); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

var installing sync.Mutex

// linkModules gives a plugin's folder packages that are installed already.
func linkModules(t *testing.T, folder string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	dir, err := modules()
	must.Succeed(t, err)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		built(t, filepath.Dir(dir))
	}
	must.Succeed(t, os.Symlink(dir, filepath.Join(folder, "node_modules")))
}

// write replaces a file of a plugin's folder.
func write(t *testing.T, folder, name, text string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
}

// passes builds a plugin from the sources and cases, and runs the cases.
func passes(t *testing.T, abi manifest.ABI, source, paths, cases string) {
	t.Helper()
	folder := made(t, kit.Plan{Name: "a", Lang: kit.JavaScript, ABI: abi})
	linkModules(t, folder)
	must.Succeed(t, os.Remove(filepath.Join(folder, "src", "index.js")))
	write(t, folder, "src/index.ts", source)
	text := "schema = 1\nid = \"a\"\nversion = \"1.0.0\"\nmodule = \"a.wasm\"\nabi = \"" + string(abi) + "\"\n" + paths +
		"[limits]\ntimeout_ms = 20000\n[config.greeting]\ntype = \"string\"\ndefault = \"Hello\"\n"
	for _, tool := range strings.Split(cases, "[[tool]]\n")[1:] {
		text += "[[tool]]\ndescription = \"d\"\nside_effect_class = \"write\"\neffect = \"file\"\n" + tool
	}
	write(t, folder, "plugin.toml", text)
	built(t, folder)
	outcomes, err := trial.Run(t.Context(), os.DirFS(folder), trial.Options{})
	must.Succeed(t, err)
	for _, o := range outcomes {
		if !o.HasPassed() {
			t.Errorf("%s: %+v", o.Case, o.Diffs)
		}
	}
	if want := strings.Count(cases, "[[tool.case]]"); len(outcomes) != want {
		t.Errorf("%d of %d cases ran", len(outcomes), want)
	}
}

// TestJavaScriptFiles checks a command in TypeScript: it reads and writes files, awaits promises
// and reports errors.
func TestJavaScriptFiles(t *testing.T) {
	t.Parallel()
	passes(t, manifest.WASI, `
import * as files from "../engine/files.js";
import { PluginError } from "../engine/answer.js";

const why = (act: () => unknown): string => {
  try { act(); } catch (error) { return (error as Error).message; }
  return "";
};

export function all_of_it({ path }: { path: string }) {
  const text = "zero\0 é 😀\n".repeat(5000);
  files.makeFolder(path + "/sub");
  files.writeFile(path + "/sub/a.txt", text);
  files.writeFile(path + "/sub/b", new Uint8Array([9, 1, 0, 255]).subarray(1));
  for (let i = 0; i < 300; i++) files.writeFile(path + "/sub/" + "n".repeat(200) + i, "");
  const names: string[] = files.list(path + "/sub");
  files.rename(path + "/sub/b", path + "/c");
  const { kind, size, modified } = files.stat(path + "/c");
  const bytes = [...files.readFileBytes(path + "/c")];
  files.removeFile(path + "/c");
  return {
    names: names.length, first: names[0], kind, size, recent: modified.getFullYear() > 2000, bytes, random: files.random(8).length,
    same: files.readFile(path + "/sub/a.txt") === text, folder: files.stat(path).kind, gone: files.stat(path + "/c") === undefined,
    faults: [why(() => files.readFile("/etc/passwd")), why(() => files.makeFolder(path + "/sub")).split(": ")[1], why(() => files.removeFolder(path + "/sub")).split(": ")[1]],
  };
}

export async function later({ value }: { value: number }, { config }: { config: { greeting: string } }) {
  const steps: string[] = [];
  await Promise.all([1, 2].map(async (n) => { await null; steps.push(config.greeting + n); }));
  return { steps, value, date: new Date(0).toISOString(), match: /(?<word>\p{L}+)/u.exec("42 Zoë")!.groups!.word };
}

export const nothing = () => undefined;
export const explained = () => { throw new PluginError("too_many", "there are too many", "name fewer"); };
export const broken = () => { (undefined as any).x; };
export const deep = () => { const f = (n: number): number => 1 + f(n); return f(0); };
export const never = () => new Promise(() => {});
`, "[[paths]]\nroot = \"files.roots\"\nmode = \"rw\"\n", `
[[tool]]
name = "a.all-of-it"
args_schema = '{"type":"object","properties":{"path":{"type":"string","format":"path"}}}'
[[tool.case]]
args = { path = "{{root}}" }
[tool.case.payload]
names = 302
first = "a.txt"
kind = "file"
size = 3
recent = true
bytes = [1, 0, 255]
random = 8
same = true
folder = "folder"
gone = true
faults = ["/etc/passwd: not granted", "it already exists", "the folder is not empty"]
[[tool]]
name = "a.later"
args_schema = '{"type":"object","properties":{"value":{"type":"number"}}}'
[[tool.case]]
args = { value = 1.5 }
payload = { steps = ["Hello1", "Hello2"], value = 1.5, date = "1970-01-01T00:00:00.000Z", match = "Zoë" }
[[tool]]
name = "a.explained"
[[tool.case]]
error = "too_many"
[[tool]]
name = "a.broken"
[[tool.case]]
error = "failed"
[[tool]]
name = "a.deep"
[[tool.case]]
error = "failed"
[[tool]]
name = "a.never"
[[tool.case]]
error = "failed"
[[tool]]
name = "a.unknown"
[[tool.case]]
error = "failed"
`)
}

// TestJavaScriptLibrary checks a library in TypeScript: it has the host's functions and serves
// many calls with one instance.
func TestJavaScriptLibrary(t *testing.T) {
	t.Parallel()
	passes(t, manifest.Extism, `
import * as host from "../engine/host.js";

const started = Date.now();

export function shout({ text }: { text: string }, { config }: { config: Record<string, string> }) {
  console.log("called", text.length);
  return { text: text.toUpperCase(), greeting: config.greeting, none: config.none === undefined, started: started > 0 };
}
export function remember() {
  const before = host.getVar("v");
  host.setVar("v", "one");
  const after = host.getVar("v");
  host.setVar("v", undefined);
  return { before: before === undefined, after, gone: host.getVar("v") === undefined };
}
export function broken() { throw new Error("no"); }
export const never = () => new Promise(() => {});
`, "", `
[[tool]]
name = "a.shout"
function = "shout"
args_schema = '{"type":"object","properties":{"text":{"type":"string"}}}'
[[tool.case]]
args = { text = "é\u0000b😀" }
payload = { text = "É\u0000B😀", greeting = "Hello", none = true, started = true }
[[tool.case]]
args = { text = "" }
payload = { text = "", greeting = "Hello", none = true, started = true }
[[tool]]
name = "a.remember"
function = "remember"
[[tool.case]]
payload = { before = true, after = "one", gone = true }
[[tool]]
name = "a.broken"
function = "broken"
[[tool.case]]
error = "plugin_error"
[[tool]]
name = "a.never"
function = "never"
[[tool.case]]
error = "plugin_error"
`)
}

// TestJavaScriptRefuses checks that a failed build names its cause, and that another version of
// the engine than the template's is refused.
func TestJavaScriptRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, text, says string }{
		{"a syntax error", "src/index.js", "export function greet( {", "src/index.js:1"},
		{"an unknown package", "src/index.js", "import x from \"left-pad\"; export const greet = x;", "left-pad"},
		{"another version of the engine", "build.mjs", "", "for version 0.33.0 of QuickJS"},
	} {
		folder := made(t, kit.Plan{Name: "a", Lang: kit.JavaScript})
		linkModules(t, folder)
		text := tt.text
		if text == "" {
			b := must.ReadFile(t, filepath.Join(folder, tt.file))
			text = strings.ReplaceAll(string(b), "0.32.0", "0.33.0")
		}
		write(t, folder, tt.file, text)
		var said strings.Builder
		_, err := kit.Build(t.Context(), folder, kit.BuildOptions{Env: os.Environ(), Output: &said})
		wantCode(t, err, "build_failed")
		if !strings.Contains(said.String(), tt.says) {
			t.Errorf("%s: the build says %q, want %q", tt.name, said.String(), tt.says)
		}
	}
}
