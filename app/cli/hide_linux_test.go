package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"errand/app/cli/print"
	"errand/build/poll"
)

// terminals opens a terminal: what a person sees and types at, and what the
// program reads from and writes to.
func terminals(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// seen reads what the terminal shows until it shows a text.
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

// TestSecretIsTypedUnseen: what is typed is not shown, is taken as it was typed,
// and the terminal shows again what is typed after it.
func TestSecretIsTypedUnseen(t *testing.T) {
	person, program := terminals(t)
	asked := make(chan struct{}, 10)
	s := &print.Console{
		Writer: print.Writer{Stderr: program}, In: program, CanAsk: true,
		Discard: func() { discard(program); asked <- struct{}{} }, Hide: func() (func(), bool) { return hide(program) },
	}
	got := make(chan string, 1)
	go func() {
		line, ok, err := s.ReadHidden(t.Context(), "cli.type_secret", "name", "word")
		got <- fmt.Sprintf("%q %t %v", line, ok, err)
		_, _ = program.WriteString("thanks")
	}()
	shown := seen(t, person, "not shown): ")
	<-asked // what was typed before the question is thrown away
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

// TestSecretIsAskedFor: of a recipe's parameters the secrets that nobody gave are
// asked for, and where what is typed would be seen nothing is.
func TestSecretIsAskedFor(t *testing.T) {
	p := sit(t)
	file := p.home + "/pin.toml"
	text := `schema = 1
name = "pin"
[params.pin]
type = "secret"
pattern = "[0-9]+"
description = "of the door"
[[step]]
tool = "browser.fill"
args = { locator = { label = "Door" }, value = "{pin}" }
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		hides bool
		args  []string
		want  string
	}{
		{"asked for", true, nil, "pin: of the door\npin (not shown): errand: pin.toml:3: parameter pin: it does not fit the pattern [0-9]+"},
		{"given", true, []string{"--param", "pin=x"}, "errand: pin.toml:3: parameter pin: it does not fit"},
		{"would be seen", false, nil, "errand: pin.toml:3: the secret pin is missing, as none is kept: give it with --param-file pin=FILE (- is standard input), or run it at a terminal"},
		{"for a script", true, []string{"--json"}, "the secret pin is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var shown strings.Builder
			code := Main(t.Context(), System{
				Args: append([]string{"run", "--recipe", file}, c.args...), Env: p.env, Stdin: strings.NewReader("sesame\n"), Stdout: &shown, Stderr: &shown, CanAsk: true,
				Hide: func() (func(), bool) { return func() {}, c.hides },
			})
			got := strings.ReplaceAll(shown.String(), file, "pin.toml")
			if code != int(print.Usage) || !strings.Contains(got, c.want) || strings.Contains(got, "sesame") {
				t.Errorf("exit %d, want %q in\n%s", code, c.want, got)
			}
		})
	}
}
