package desktoptest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// StartAudio runs PulseAudio with one output that plays nothing, for programs that the test starts.
func StartAudio(t testing.TB) {
	t.Helper()
	Need(t, "pulseaudio", "pactl")
	dir, err := os.MkdirTemp("", "pulse")
	must.Succeed(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, dir)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	t.Setenv("PULSE_SERVER", "unix:"+filepath.Join(dir, "native"))
	server := exec.Command("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
		"--load=module-native-protocol-unix socket="+filepath.Join(dir, "native")+" auth-anonymous=1",
		"--load=module-null-sink sink_name=test")
	must.Succeed(t, server.Start())
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	poll.Await(t, "the audio server", func() bool { return exec.Command("pactl", "get-sink-volume", "@DEFAULT_SINK@").Run() == nil })
}

// StartPipeWire runs PipeWire and its session manager with one output that plays nothing, for programs
// that the test starts.
func StartPipeWire(t testing.TB) {
	t.Helper()
	Need(t, "pipewire", "wireplumber", "wpctl", "pw-cli")
	StartBus(t)
	dir, err := os.MkdirTemp("", "pipewire")
	must.Succeed(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, dir)
	}
	start := func(name string) {
		cmd := exec.Command(name)
		must.Succeed(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
	start("pipewire")
	poll.Await(t, "PipeWire", func() bool { return exec.Command("pw-cli", "info", "0").Run() == nil })
	start("wireplumber")
	must.Succeed(t, exec.Command("pw-cli", "create-node", "adapter", "{ factory.name=support.null-audio-sink node.name=test media.class=Audio/Sink object.linger=true audio.position=[FL FR] }").Run())
	poll.Await(t, "an output", func() bool {
		out, _ := exec.Command("wpctl", "get-volume", "@DEFAULT_AUDIO_SINK@").Output()
		return bytes.HasPrefix(out, []byte("Volume:"))
	})
}
