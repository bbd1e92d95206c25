package terminal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/build/poll"
)

// terminals opens a terminal: the user's side, and the program's.
func terminals(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must.Succeed(t, err)
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	must.Succeed(t, err)
	must.Succeed(t, unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0))
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must.Succeed(t, err)
	t.Cleanup(func() { program.Close() })
	return person, program
}

// seen reads the terminal's output until a text appears.
func seen(t *testing.T, person *os.File, until string) string {
	t.Helper()
	var all string
	deadline := time.Now().Add(poll.Patience)
	for !strings.Contains(all, until) {
		ready, err := unix.Poll([]unix.PollFd{{Fd: int32(person.Fd()), Events: unix.POLLIN}}, 100)
		if time.Now().After(deadline) {
			t.Fatalf("%q is not in %q", until, all)
		}
		if err != nil || ready == 0 {
			continue
		}
		b := make([]byte, 4096)
		n, err := person.Read(b)
		if err != nil {
			t.Fatalf("%v after %q", err, all)
		}
		all += string(b[:n])
	}
	return all
}

// TestSecretPromptHidesInput checks that typed input is not shown, is read unchanged, and that
// later input is shown again.
func TestSecretPromptHidesInput(t *testing.T) {
	person, program := terminals(t)
	asked := make(chan struct{}, 10)
	s := &print.Console{
		Writer: print.Writer{Stderr: program}, In: program, CanAsk: true,
		Discard: func() { Discard(program); asked <- struct{}{} }, Hide: func() (func(), bool) { return Hide(program) },
	}
	got := make(chan string, 1)
	go func() {
		line, ok, err := s.ReadHidden(t.Context(), "cli.type_secret", "name", "word")
		got <- fmt.Sprintf("%q %t %v", line, ok, err)
		_, _ = program.WriteString("thanks")
	}()
	shown := seen(t, person, "not shown): ")
	<-asked // input before the question is discarded
	if _, err := person.WriteString(" open sesame \n"); err != nil {
		t.Fatal(err)
	}
	if line := <-got; line != `" open sesame " true <nil>` {
		t.Errorf("read %s", line)
	}
	shown += seen(t, person, "thanks")
	if strings.Contains(shown, "sesame") || !strings.Contains(shown, "\r\nthanks") {
		t.Errorf("the terminal shows %q", shown)
	}
	if _, err := person.WriteString("hello"); err != nil {
		t.Fatal(err)
	}
	seen(t, person, "hello")
}
