package clipboard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/desktop/clipboard"
	"errand/host/desktop/desktoptest"
	"errand/host/tool"
)

func call(t *testing.T, name string, args map[string]any) tool.Result {
	t.Helper()
	set, err := tool.NewSet(clipboard.Tools(exec.LookPath)...)
	must.Succeed(t, err)
	found, _ := set.Get(name)
	r, err := found.Call(t.Context(), tool.Call{Tool: name, Args: args})
	must.Succeed(t, err)
	return r
}

// own puts something on the clipboard with another program's type.
func own(t *testing.T, kind, data string) {
	t.Helper()
	cmd := exec.Command("xclip", "-selection", "clipboard", "-in", "-target", kind)
	cmd.Stdin = strings.NewReader(data)
	must.Succeed(t, cmd.Run())
}

// TestClipboard sets and reads the clipboard of a real X server.
func TestClipboard(t *testing.T) {
	desktoptest.Need(t, "xclip")
	desktoptest.StartX(t)
	if r := call(t, clipboard.ReadName, map[string]any{}); !r.OK || r.Payload.(map[string]any)["text"] != "" {
		t.Errorf("an empty clipboard: %+v", r)
	}
	for _, text := range []string{"hello", "привет, мир", "a\nb\n", "-x; $(rm -rf /)", " spaces ", strings.Repeat("long ", 10_000)} {
		if r := call(t, clipboard.SetName, map[string]any{"text": text}); !r.OK {
			t.Fatalf("set %.20q: %v", text, r.Error)
		}
		r := call(t, clipboard.ReadName, map[string]any{})
		if got := r.Payload.(map[string]any)["text"]; got != text {
			t.Errorf("read %.40q, want %.40q", got, text)
		}
		if len(r.UserOnlyKeys) != 1 || r.UserOnlyKeys[0] != "text" {
			t.Errorf("a planner gets the text: %v", r.UserOnlyKeys)
		}
	}
	other, err := exec.Command("xclip", "-selection", "clipboard", "-out").Output() // as another program reads it
	if err != nil || len(other) != 50_000 {
		t.Errorf("another program reads %d bytes, %v", len(other), err)
	}
}

// TestRefused: what is no text, or comes from a password manager, is not read.
func TestRefused(t *testing.T) {
	desktoptest.Need(t, "xclip")
	desktoptest.StartX(t)
	for kind, code := range map[string]string{"image/png": "clipboard_not_text", "x-kde-passwordManagerHint": "clipboard_has_password"} {
		own(t, kind, "secret")
		if r := call(t, clipboard.ReadName, map[string]any{}); r.Error == nil || r.Error.Code != code || strings.Contains(i18n.English().Text(r.Error.Message), "secret") {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

// TestUnlabelled: a program that can't tell where a text is from reads nothing, because that may be a password
// manager. It may set a text.
func TestUnlabelled(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", ":987")
	set, err := tool.NewSet(clipboard.Tools(func(name string) (string, error) {
		if name == "xsel" {
			return "/bin/echo", nil
		}
		return "", exec.ErrNotFound
	})...)
	must.Succeed(t, err)
	read, _ := set.Get(clipboard.ReadName)
	if r, _ := read.Call(t.Context(), tool.Call{}); r.Error == nil || r.Error.Code != "no_clipboard_program" || r.Error.Hint.IsZero() {
		t.Errorf("%+v", r)
	}
	put, _ := set.Get(clipboard.SetName)
	if r, _ := put.Call(t.Context(), tool.Call{Args: map[string]any{"text": "x"}}); !r.OK {
		t.Errorf("%+v", r)
	}
}

// TestPasswordMeanwhile: a password manager that takes the clipboard while it is read is noticed.
func TestPasswordMeanwhile(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", ":987")
	dir := t.TempDir()
	script := filepath.Join(dir, "xclip") // the text is a password from the second question on
	must.Succeed(t, os.WriteFile(script, []byte("#!/bin/sh\ncase \"$*\" in *TARGETS*) cat "+dir+"/asked 2>/dev/null || echo STRING;; *) echo x-kde-passwordManagerHint STRING > "+dir+"/asked; echo hunter2;; esac\n"), 0o700))
	set, err := tool.NewSet(clipboard.Tools(func(string) (string, error) { return script, nil })...)
	must.Succeed(t, err)
	read, _ := set.Get(clipboard.ReadName)
	if r, _ := read.Call(t.Context(), tool.Call{}); r.Error == nil || r.Error.Code != "clipboard_has_password" {
		t.Errorf("%+v", r)
	}
}

// TestReadIsAsked: reading the clipboard is no plain read, which runs unasked, and its text is untrusted.
func TestReadIsAsked(t *testing.T) {
	set, err := tool.NewSet(clipboard.Tools(exec.LookPath)...)
	must.Succeed(t, err)
	read, _ := set.Get(clipboard.ReadName)
	if s := read.Spec(); s.SideEffectClass != tool.Auth || !s.Untrusted {
		t.Errorf("class %s, untrusted %t", s.SideEffectClass, s.Untrusted)
	}
}

func TestMissing(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	if r := call(t, clipboard.ReadName, map[string]any{}); r.Error == nil || r.Error.Code != "no_display" {
		t.Errorf("no display: %+v", r)
	}
	t.Setenv("DISPLAY", ":987")
	set, err := tool.NewSet(clipboard.Tools(func(string) (string, error) { return "", exec.ErrNotFound })...)
	must.Succeed(t, err)
	found, _ := set.Get(clipboard.SetName)
	if r, _ := found.Call(t.Context(), tool.Call{Args: map[string]any{"text": "x"}}); r.Error == nil || r.Error.Code != "no_clipboard_program" {
		t.Errorf("no program: %+v", r)
	}
}
