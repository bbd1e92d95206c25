package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"errand/build/must"
	"errand/build/poll"
)

// TestTimersRing: timers ring over D-Bus, also if the resident process was killed meanwhile: the next
// command starts another, which shows each once.
func TestTimersRing(t *testing.T) {
	m := newTimerMachine(t)
	run, texts := m.run, m.texts
	run("remind me in 1 second to drink")
	poll.Await(t, "the reminder is shown", func() bool { return len(texts()) == 1 })
	if got := texts()[0]; got != "drink" {
		t.Errorf("shown: %q", got)
	}

	run("set a timer for 3 seconds called tea")
	run("in 3 seconds what is 2+3")
	for _, pid := range processesWith(t, m.home) {
		p, err := os.FindProcess(pid)
		must.Succeed(t, err)
		must.Succeed(t, p.Kill())
	}
	poll.Await(t, "the process is gone", func() bool { return len(processesWith(t, m.home)) == 0 })
	run("timers") // starts another one
	poll.Await(t, "both are shown", func() bool { return len(texts()) == 3 })
	all := strings.Join(texts(), "\n")
	if !strings.Contains(all, "Timer “tea” is over") || !strings.Contains(all, "“what is 2+3”: 2 + 3 = 5") {
		t.Errorf("shown:\n%s", all)
	}
	if out := run("timers"); !strings.Contains(out, "no timers") {
		t.Errorf("still pending: %s", out)
	}
}

// killProcesses kills the resident process of a machine.
func (m *timerMachine) killProcesses() {
	m.t.Helper()
	for _, pid := range processesWith(m.t, "agentd") {
		env, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
		if !strings.Contains(string(env), "HOME="+m.home+"\x00") {
			continue
		}
		must.Succeed(m.t, syscall.Kill(pid, syscall.SIGKILL))
		poll.Await(m.t, "the process is gone", func() bool { return syscall.Kill(pid, 0) != nil })
	}
}

// TestTimersAfterServe: the end of serve starts the resident process again if it was killed, so that what
// is due later is shown.
func TestTimersAfterServe(t *testing.T) {
	m := newTimerMachine(t)
	serve := m.command("serve")
	out, err := serve.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, serve.Start())
	_, err = bufio.NewReader(out).ReadString('\n') // it serves
	must.Succeed(t, err)
	m.run("remind me in 5 seconds to drink")
	m.killProcesses()
	must.Succeed(t, serve.Process.Signal(os.Interrupt))
	_ = serve.Wait() // interrupted
	poll.Await(t, "the reminder is shown", func() bool { return len(m.texts()) == 1 })
	if got := m.texts()[0]; !strings.Contains(got, "drink") {
		t.Errorf("shown: %q", got)
	}
}

// TestRecipeLater: a goal for later may run a recipe by its name.
func TestRecipeLater(t *testing.T) {
	m := newTimerMachine(t)
	folder := filepath.Join(m.home, "config/errand/recipes")
	must.Succeed(t, os.MkdirAll(folder, 0o700))
	for name, description := range map[string]string{"morning": "The time", "утро": "Время"} {
		recipe := "schema = 1\nname = \"" + name + "\"\ndescription = \"" + description + "\"\n\n[[step]]\nid = \"a1\"\ntool = \"system.query\"\nargs = { target = \"time\" }\n"
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name+".toml"), []byte(recipe), 0o600))
	}
	m.run("every day at 8 run my morning recipe")
	m.run("каждый день в 8 запусти рецепт утро")
	if all := m.run("timers"); !strings.Contains(all, "run my morning recipe") || !strings.Contains(all, "запусти рецепт утро") || strings.Count(all, "repeats") != 2 {
		t.Errorf("timers: %s", all)
	}
	m.run("in 1 second run my morning recipe")
	m.run("через 1 секунду запусти рецепт утро")
	poll.Await(t, "both have run", func() bool { return len(m.texts()) == 2 })
	for _, got := range m.texts() {
		if !strings.Contains(got, "It is ") && !strings.Contains(got, "Сейчас ") {
			t.Errorf("shown: %q", got)
		}
	}
	file := filepath.Join(m.home, "Documents/x.txt")
	must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must.Succeed(t, os.WriteFile(file, []byte("x"), 0o600))
	recipe := "schema = 1\nname = \"clean-up\"\ndescription = \"Clean up\"\n\n[[step]]\nid = \"a1\"\ntool = \"files.delete_file\"\nargs = { path = \"" + file + "\" }\n"
	must.Succeed(t, os.WriteFile(filepath.Join(folder, "clean-up.toml"), []byte(recipe), 0o600))
	m.run("in 1 second run my clean up recipe")
	poll.Await(t, "it was due", func() bool { return len(m.texts()) == 3 })
	if got := m.texts()[2]; !strings.Contains(got, "it needs your approval") {
		t.Errorf("shown: %q", got)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
	for _, words := range []string{"every day at 8 run my nonesuch recipe", "every day at 8 run a recipe for soup"} {
		if out, err := m.command(words).CombinedOutput(); err == nil {
			t.Errorf("%q was understood: %s", words, out)
		}
	}
	if runs := m.run("runs"); strings.Count(runs, " done ") < 6 {
		t.Errorf("runs: %s", runs)
	}
}
