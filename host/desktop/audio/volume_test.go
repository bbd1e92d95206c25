package audio_test

import (
	"os/exec"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/desktop/audio"
	"errand/host/desktop/desktoptest"
	"errand/host/tool"
)

func tools(t *testing.T, lookPath func(string) (string, error)) *tool.Set {
	set, err := tool.NewSet(audio.Tools(lookPath)...)
	must.Succeed(t, err)
	return set
}

func call(t *testing.T, name string, args map[string]any) tool.Result {
	t.Helper()
	found, _ := tools(t, exec.LookPath).Get(name)
	r, err := found.Call(t.Context(), tool.Call{Tool: name, Args: args})
	must.Succeed(t, err)
	return r
}

// now is what the audio server says of its output.
func now(t *testing.T) (volume, mute string) {
	t.Helper()
	v, err := exec.Command("pactl", "get-sink-volume", "@DEFAULT_SINK@").Output()
	must.Succeed(t, err)
	m, err := exec.Command("pactl", "get-sink-mute", "@DEFAULT_SINK@").Output()
	must.Succeed(t, err)
	for _, f := range strings.Fields(string(v)) {
		if strings.HasSuffix(f, "%") {
			return f, strings.TrimSpace(strings.TrimPrefix(string(m), "Mute:"))
		}
	}
	return "", ""
}

// TestVolume changes the volume of a real audio server.
func TestVolume(t *testing.T) {
	desktoptest.StartAudio(t)
	var undo *tool.Inverse
	for _, tt := range []struct{ level, want string }{
		{"30", "30%"}, {"+10", "40%"}, {"-25", "15%"}, {"-50", "0%"}, {"0", "0%"}, {"100", "100%"}, {"+10", "100%"}, {"150", "100%"}, {"55", "55%"}, {"+3", "58%"},
	} {
		before, _ := now(t)
		r := call(t, audio.VolumeName, map[string]any{"level": tt.level})
		if !r.OK {
			t.Fatalf("%s: %v", tt.level, r.Error)
		}
		got, _ := now(t)
		if got != tt.want || r.Payload.(map[string]any)["level"] != strings.TrimSuffix(tt.want, "%") {
			t.Errorf("%s after %s = %s, %v, want %s", tt.level, before, got, r.Payload, tt.want)
		}
		if (r.Undo != nil) != (got != before) {
			t.Errorf("%s after %s: undo %v", tt.level, before, r.Undo)
		}
		undo = r.Undo
	}
	if r := call(t, undo.Tool, undo.Args); !r.OK {
		t.Errorf("undo: %v", r.Error)
	}
	if got, _ := now(t); got != "55%" {
		t.Errorf("after the undo: %s", got)
	}
	if r := call(t, undo.Tool, undo.Args); r.Error == nil || r.Error.Code != "volume_changed" {
		t.Errorf("the undo of a volume that has changed: %+v", r)
	}
	must.Succeed(t, exec.Command("pactl", "set-sink-volume", "@DEFAULT_SINK@", "130%").Run())
	if r := call(t, audio.VolumeName, map[string]any{"level": "+10"}); !r.OK {
		t.Error(r.Error)
	}
	if got, _ := now(t); got != "130%" {
		t.Errorf("louder than 130%%: %s", got)
	}
}

func TestMute(t *testing.T) {
	desktoptest.StartAudio(t)
	for _, tt := range []struct {
		action, want string
		hasUndo      bool
	}{{"mute", "yes", true}, {"mute", "yes", false}, {"unmute", "no", true}} {
		r := call(t, audio.MuteName, map[string]any{"action": tt.action})
		if _, got := now(t); !r.OK || got != tt.want || (r.Undo != nil) != tt.hasUndo {
			t.Errorf("%s: %v, muted %s, undo %v", tt.action, r.Error, got, r.Undo)
		}
	}
	r := call(t, audio.MuteName, map[string]any{"action": "mute"})
	if r := call(t, r.Undo.Tool, r.Undo.Args); !r.OK {
		t.Error(r.Error)
	}
	if _, got := now(t); got != "no" {
		t.Errorf("after the undo: muted %s", got)
	}
	must.Succeed(t, exec.Command("pactl", "set-sink-mute", "@DEFAULT_SINK@", "1").Run())
	if r := call(t, audio.VolumeName, map[string]any{"level": "20"}); r.Payload.(map[string]any)["muted"] != true {
		t.Errorf("the volume of a muted output: %v", r.Payload)
	}
}

// TestReconcile: after a call that died, the output says whether it had its effect.
func TestReconcile(t *testing.T) {
	desktoptest.StartAudio(t)
	must.Succeed(t, exec.Command("pactl", "set-sink-volume", "@DEFAULT_SINK@", "30%").Run())
	for _, tt := range []struct {
		name string
		args map[string]any
		want tool.EffectState
	}{
		{audio.VolumeName, map[string]any{"level": "30"}, tool.Committed},
		{audio.VolumeName, map[string]any{"level": "31"}, tool.Released},
		{audio.VolumeName, map[string]any{"level": "+10"}, tool.Unknown},
		{audio.MuteName, map[string]any{"action": "mute"}, tool.Released},
		{audio.MuteName, map[string]any{"action": "unmute"}, tool.Committed},
	} {
		found, _ := tools(t, exec.LookPath).Get(tt.name)
		if r, err := found.(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: tt.args}); err != nil || r.Effect != tt.want {
			t.Errorf("%s %v: %v, %v, want %v", tt.name, tt.args, r.Effect, err, tt.want)
		}
	}
}

// TestMissing: the error says what is missing.
func TestMissing(t *testing.T) {
	desktoptest.Need(t, "pactl")
	t.Setenv("PULSE_SERVER", "unix:/nonexistent")
	t.Setenv("HOME", t.TempDir())
	for _, tt := range []struct {
		name     string
		lookPath func(string) (string, error)
		code     string
		text     string
	}{
		{"no program", func(string) (string, error) { return "", exec.ErrNotFound }, "no_mixer", "pactl or wpctl"},
		{"no server", func(name string) (string, error) {
			if name != "pactl" {
				return "", exec.ErrNotFound
			}
			return exec.LookPath(name)
		}, "no_audio_server", "Connection refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, _ := tools(t, tt.lookPath).Get(audio.VolumeName)
			r, err := found.Call(t.Context(), tool.Call{Args: map[string]any{"level": "10"}})
			must.Succeed(t, err)
			if r.Error == nil || r.Error.Code != tt.code || !strings.Contains(i18n.English().Text(r.Error.Message), tt.text) {
				t.Errorf("%+v", r.Error)
			}
		})
	}
}

// TestPipeWire: without pactl, wpctl controls the output of PipeWire.
func TestPipeWire(t *testing.T) {
	desktoptest.StartPipeWire(t)
	set := tools(t, func(name string) (string, error) {
		if name == "pactl" {
			return "", exec.ErrNotFound
		}
		return exec.LookPath(name)
	})
	for _, tt := range []struct {
		name string
		args map[string]any
		want string
	}{
		{audio.VolumeName, map[string]any{"level": "40"}, "Volume: 0.40"},
		{audio.VolumeName, map[string]any{"level": "+5"}, "Volume: 0.45"},
		{audio.VolumeName, map[string]any{"level": "-50"}, "Volume: 0.00"},
		{audio.MuteName, map[string]any{"action": "mute"}, "Volume: 0.00 [MUTED]"},
		{audio.VolumeName, map[string]any{"level": "150"}, "Volume: 1.00 [MUTED]"},
		{audio.MuteName, map[string]any{"action": "unmute"}, "Volume: 1.00"},
	} {
		found, _ := set.Get(tt.name)
		r, err := found.Call(t.Context(), tool.Call{Args: tt.args})
		must.Succeed(t, err)
		out, err := exec.Command("wpctl", "get-volume", "@DEFAULT_AUDIO_SINK@").Output()
		must.Succeed(t, err)
		if got := strings.TrimSpace(string(out)); !r.OK || got != tt.want {
			t.Errorf("%v: %v, %s, want %s", tt.args, r.Error, got, tt.want)
		}
	}
}
