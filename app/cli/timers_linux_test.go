package cli

import (
	"os"
	"strings"
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
