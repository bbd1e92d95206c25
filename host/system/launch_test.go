//go:build linux

package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

func TestLaunchOutlivesUsInASessionOfItsOwn(t *testing.T) {
	withDisplay(t)
	res := call(t, catalogue(t), LaunchName, map[string]any{"app_name": "sleeper"})
	if !res.OK {
		t.Fatalf("result = %+v", res.Error)
	}
	payload := res.Payload.(map[string]any)
	pid := int(payload["pid"].(float64))
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	if payload["running"] != true || res.World == nil || res.World.AppStarted != "sleeper" {
		t.Errorf("result = %+v, world %+v", payload, res.World)
	}
	if sid, err := sessionOf(pid); err != nil || sid != pid {
		t.Errorf("session of the app = %d, %v, want its own, %d", sid, err, pid)
	}
	// Killed, it leaves no zombie: signalling it fails once it has been waited for.
	_ = syscall.Kill(pid, syscall.SIGKILL)
	poll.Await(t, "the app that ended is waited for", func() bool { return syscall.Kill(pid, 0) != nil })
}

func sessionOf(pid int) (int, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	var sid int
	_, err = fmt.Sscan(fields[3], &sid)
	return sid, err
}

func TestLaunch(t *testing.T) {
	withDisplay(t)
	tests := []struct {
		name string
		args map[string]any
		code string // "" for ok
		hint string // part of the hint
		text string // part of the message
	}{
		{"a browser with a url opens in the managed browser", map[string]any{"app_name": "chrome", "url": "https://example.com/"}, "", "", ""},
		{"handed over to a running instance", map[string]any{"app_name": "done"}, "", "", ""},
		{"fails at once", map[string]any{"app_name": "failing"}, "app_failed", "terminal", "exit status 1"},
		{"not in the catalogue", map[string]any{"app_name": "ghost"}, "unknown_app", "[[apps]]", `"ghost"`},
		{"not installed: every candidate is named", map[string]any{"app_name": "missing"}, "app_not_installed", "[[apps]]", `"no-such-program", "/nowhere/other"`},
		{"no candidates on this platform", map[string]any{"app_name": "nothing"}, "app_not_installed", "[[apps]]", "no exec"},
		{"url with an app that is no browser", map[string]any{"app_name": "done", "url": "https://example.com/"}, "url_needs_browser", "chrome", ""},
		{"an option", map[string]any{"app_name": "done", "args": []any{"-e", "rm"}}, "option_refused", "[[apps]]", `"-e"`},
		{"an address", map[string]any{"app_name": "done", "args": []any{"http://127.0.0.1/"}}, "url_refused", "", ""},
		{"a scheme without slashes", map[string]any{"app_name": "done", "args": []any{"javascript:alert(1)"}}, "url_refused", "", ""},
		{"args with a browser", map[string]any{"app_name": "chrome", "args": []any{"example.com"}}, "args_refused", "", ""},
		{"a NUL", map[string]any{"app_name": "done", "args": []any{"a\x00b"}}, "invalid_args", "", ""},
		{"args that are no strings", map[string]any{"app_name": "done", "args": []any{1.0}}, "invalid_args", "", `"args"`},
		{"an argument that nobody knows", map[string]any{"app_name": "done", "env": "x"}, "invalid_args", "", `"env"`},
		{"nothing", map[string]any{}, "invalid_args", "", "app_name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := call(t, catalogue(t), LaunchName, tt.args)
			if tt.code == "" {
				if !res.OK {
					t.Fatalf("error = %+v", res.Error)
				}
				return
			}
			if res.Error == nil || res.Error.Code != tt.code {
				t.Fatalf("result = %+v, error %+v, want code %s", res, res.Error, tt.code)
			}
			if !strings.Contains(i18n.English().Text(res.Error.Hint), tt.hint) || !strings.Contains(i18n.English().Text(res.Error.Message), tt.text) {
				t.Errorf("message %q, hint %q: want %q and %q in them", res.Error.Message, res.Error.Hint, tt.text, tt.hint)
			}
		})
	}
}

// What a shell would make of an argument must not happen.
func TestNoShellReadsArguments(t *testing.T) {
	withDisplay(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	script := filepath.Join(dir, "show")
	must.Succeed(t, os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >"+out+"\n"), 0o700))
	o := Options{App: func(string) ([][]string, bool) { return [][]string{{script, "--fixed"}}, true }}
	args := []any{"$(touch " + dir + "/x)", "a b", "`id`", "; rm -rf /", "*", "ü"}
	if res := call(t, o, LaunchName, map[string]any{"app_name": "show", "args": args}); !res.OK {
		t.Fatalf("error = %+v", res.Error)
	}
	b := must.ReadFile(t, out)
	want := []string{"--fixed"}
	for _, a := range args {
		want = append(want, a.(string))
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")); diff != "" {
		t.Errorf("argument vector (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("an argument was run")
	}
}

func TestPageWithoutAManagedBrowser(t *testing.T) {
	o := catalogue(t)
	o.OpenURL = nil
	res := call(t, o, LaunchName, map[string]any{"app_name": "chrome", "url": "https://example.com/"})
	if res.Error == nil || res.Error.Class != tool.ToolUnavailable || res.Error.Hint.IsZero() {
		t.Errorf("error = %+v", res.Error)
	}
}

func TestExecutableThatMayNotBeRun(t *testing.T) {
	o := catalogue(t)
	o.LookPath = func(string) (string, error) { return "", &exec.Error{Name: "x", Err: os.ErrPermission} }
	res := call(t, o, LaunchName, map[string]any{"app_name": "done"})
	if res.Error == nil || !strings.Contains(i18n.English().Text(res.Error.Message), "permission denied") {
		t.Errorf("error = %+v, want it to say why", res.Error)
	}
}

// TestLaunchOutcome: to a page one may go again, of an app nobody can tell.
func TestLaunchOutcome(t *testing.T) {
	launch, ok := launchTool(Options{}.withDefaults()).(tool.Reconciler)
	if !ok {
		t.Fatal("the launcher can't be asked")
	}
	for want, args := range map[tool.EffectState]map[string]any{
		tool.Released: {"app_name": "chrome", "url": "https://a.example/"},
		tool.Unknown:  {"app_name": "calculator"},
	} {
		if got, err := launch.Reconcile(t.Context(), tool.Call{Tool: LaunchName, Args: args}); err != nil || got.Effect != want {
			t.Errorf("%v: %s, %v; want %s", args, got.Effect, err, want)
		}
	}
}

func TestLaunchAfterItsDeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err := launchTool(catalogue(t).withDefaults()).Call(ctx, tool.Call{Args: map[string]any{"app_name": "sleeper"}})
	if err != nil || res.OK || res.Error.Code != "interrupted" {
		t.Errorf("result = %+v, %v", res, err)
	}
	if errors.Is(err, context.Canceled) {
		t.Error("a refusal is a result")
	}
}

func TestSpecs(t *testing.T) {
	if _, err := tool.NewSet(Tools(Options{})...); err != nil {
		t.Fatal(err)
	}
	spec := launchTool(Options{}.withDefaults()).Spec()
	if diff := cmp.Diff([]string{"app_name", "args", "desktop_file", "url"}, spec.Params()); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if spec.SideEffectClass != tool.Write || spec.Effect != tool.EffectNavigate {
		t.Errorf("launcher is %s/%s, want write/navigate", spec.SideEffectClass, spec.Effect)
	}
}
