package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"errand/app/cli/print"
	"errand/app/cli/terminal"
	"errand/app/drafts"
	"errand/build/must"
	"errand/build/poll"
)

// Keys of a terminal.
const (
	endOfInput = "\x04"
	interrupt  = "\x03" // typed at a test's terminal, it cancels the context like the signal
)

// atTerminal runs a command in a terminal of its own. The user types the next answer at each
// question. It returns everything that the terminal showed.
func (p sitting) atTerminal(t *testing.T, typed []string, args ...string) (int, string) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must.Succeed(t, err)
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	}
	must.Succeed(t, err)
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must.Succeed(t, err)
	var mu sync.Mutex
	var shown strings.Builder
	ended, read := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 4096)
		for {
			ready, err := unix.Poll([]unix.PollFd{{Fd: int32(person.Fd()), Events: unix.POLLIN}}, 20)
			if err != nil || ready == 0 {
				select {
				case <-ended: // and all of it is read
					return
				default:
					continue
				}
			}
			n, err := person.Read(b)
			if err != nil {
				return
			}
			mu.Lock()
			shown.Write(b[:n])
			mu.Unlock()
		}
	}()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asked, done := make(chan struct{}, 100), make(chan int, 1)
	go func() {
		done <- Main(ctx, System{
			Args: args, Env: p.env, Stdin: tty, Stdout: tty, Stderr: tty, CanAsk: terminal.IsTerminal(tty), Terminal: terminal.IsTerminal(tty), TerminalErr: terminal.IsTerminal(tty),
			TerminalID: terminal.ID(tty), Discard: func() { terminal.Discard(tty); asked <- struct{}{} },
		})
	}()
	code, last := -1, ""
	for deadline := time.After(poll.Patience); code < 0; {
		select {
		case code = <-done:
		case <-asked:
			if len(typed) == 0 {
				t.Errorf("%v: asked once more than expected", args)
				stop()
				continue
			}
			last, typed = typed[0], typed[1:]
			if last == interrupt {
				stop()
			} else if _, err := person.WriteString(last); err != nil {
				t.Error(err)
			}
		case <-time.After(5 * time.Second): // typed while the question still discarded input
			if last != "" && last != interrupt {
				_, _ = person.WriteString(last)
			}
		case <-deadline:
			mu.Lock()
			defer mu.Unlock()
			t.Fatalf("%v: it does not end\n%s", args, shown.String())
		}
	}
	if len(typed) > 0 {
		t.Errorf("%v: not asked for %q", args, typed)
	}
	close(ended)
	<-read
	person.Close() // hangs up, which ends a pending read
	tty.Close()
	return code, strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

// destructiveRecipes are recipes with steps that destroy something permanently.
func destructiveRecipes(t *testing.T) map[string]string {
	t.Helper()
	step := func(id, tool, args string) string {
		return fmt.Sprintf("[[step]]\nid = %q\ntool = %q\nargs = { %s }\n", id, tool, args)
	}
	makeFolder := func(id string) string {
		return step(id, "files.create_folder", fmt.Sprintf(`path = "~/Documents/%s"`, id))
	}
	wipe := func(id string) string {
		return step(id, "archive.remove_extracted", `path = "~/Documents/Kept", made = []`)
	}
	out := map[string]string{}
	dir := t.TempDir()
	for name, steps := range map[string][]string{
		"mixed": {makeFolder("make"), wipe("wipe")},
		"only":  {wipe("one"), wipe("two")},
		"bulk":  {makeFolder("m1"), makeFolder("m2"), makeFolder("m3"), makeFolder("m4"), wipe("wipe")},
		"alone": {wipe("wipe")},
	} {
		out[name] = filepath.Join(dir, name+".toml")
		text := fmt.Sprintf("schema = 1\nname = %q\ndescription = \"Tidy up\"\n\n%s", name, strings.Join(steps, "\n"))
		must.Succeed(t, os.WriteFile(out[name], []byte(text), 0o600))
	}
	return out
}

// doneOf returns the finished actions of the newest draft.
func (p sitting) doneOf(t *testing.T) (string, drafts.View) {
	t.Helper()
	list := p.drafts(t)
	if len(list) == 0 {
		return "", drafts.View{}
	}
	var done []string
	for _, a := range list[0].Actions {
		if a.Status == drafts.ActionDone {
			done = append(done, a.ActionID)
		}
	}
	return strings.Join(done, " "), list[0]
}

// TestDestructiveStepsAreConfirmed checks that each permanently destructive step among other
// steps has its own question after the one about the draft, and that only a yes confirms it.
func TestDestructiveStepsAreConfirmed(t *testing.T) {
	recipes := destructiveRecipes(t)
	const whole, own = "run this? [y/N]", "can't be undone: "
	const wholeRu, ownRu = "выполнить? [д/Н]", "Подтвердить этот шаг? [д/Н]"
	tests := []struct {
		name   string
		recipe string
		flags  []string
		typed  []string
		exit   print.Exit
		done   string
		state  string
		shows  []string
		hides  []string
	}{
		{"yes, yes", "mixed", nil, []string{"y\n", "y\n"}, print.Done, "make wipe", "APPLIED", []string{whole, "wipe " + own, "Confirm this step? [y/N]"}, nil},
		{"yes, no", "mixed", nil, []string{"y\n", "n\n"}, print.NeedsApproval, "make", "DRAFT", []string{"needs a confirmation of its own: wipe", "errand approve DRAFT wipe\n"}, nil},
		{"yes, nothing", "mixed", nil, []string{"y\n", "\n"}, print.NeedsApproval, "make", "DRAFT", []string{"errand approve DRAFT wipe\n"}, nil},
		{"yes, another word", "mixed", nil, []string{"y\n", "yes please\n"}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"yes, the step's name", "mixed", nil, []string{"y\n", "wipe\n"}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"yes, the input ends", "mixed", nil, []string{"y\n", endOfInput}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"yes, a yes that is not finished", "mixed", nil, []string{"y\n", "y" + endOfInput + endOfInput}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"yes, Ctrl+C", "mixed", nil, []string{"y\n", interrupt}, print.Interrupted, "", "DRAFT", []string{"errand: interrupted\n", "the draft still waits: errand drafts DRAFT"}, nil},
		{"no", "mixed", nil, []string{"n\n"}, print.Cancelled, "", "CANCELLED", []string{whole}, []string{own}},
		{"nothing", "mixed", nil, []string{"\n"}, print.Cancelled, "", "CANCELLED", []string{whole}, []string{own}},
		{"the input ends", "mixed", nil, []string{endOfInput}, print.Cancelled, "", "CANCELLED", []string{whole}, []string{own}},
		{"Ctrl+C", "mixed", nil, []string{interrupt}, print.Interrupted, "", "DRAFT", []string{"errand: interrupted\n"}, []string{own}},
		{"--yes confirms no destructive step", "mixed", []string{"--yes"}, nil, print.NeedsApproval, "make", "DRAFT", []string{"errand approve DRAFT wipe\n"}, []string{whole, own + "Perm"}},

		{"only destructive steps, both", "only", nil, []string{"y\n", "y\n"}, print.Done, "one two", "APPLIED", []string{"one " + own, "two " + own}, []string{whole}},
		{"only destructive steps, none", "only", nil, []string{"n\n", "n\n"}, print.Cancelled, "", "CANCELLED", nil, []string{whole}},
		{"only destructive steps, the first", "only", nil, []string{"y\n", "n\n"}, print.NeedsApproval, "one", "DRAFT", []string{"errand approve DRAFT two\n"}, []string{whole}},
		{"only destructive steps, --yes", "only", []string{"--yes"}, nil, print.NeedsApproval, "", "DRAFT", []string{"errand approve DRAFT one two\n"}, []string{whole}},
		{"one step alone needs no other question", "alone", nil, []string{"y\n"}, print.Done, "wipe", "APPLIED", []string{whole}, []string{"Confirm this step?"}},

		{"many, yes and the number", "bulk", nil, []string{"y\n", "5\n"}, print.Done, "m1 m2 m3 m4 wipe", "APPLIED", []string{"type 5 to run it:", "wipe " + own}, []string{whole}},
		{"many, no, and the others are few", "bulk", nil, []string{"n\n", "y\n"}, print.NeedsApproval, "m1 m2 m3 m4", "DRAFT", []string{whole, "errand approve DRAFT wipe\n"}, []string{"to run it:"}},
		{"many, no and no", "bulk", nil, []string{"n\n", "n\n"}, print.Cancelled, "", "CANCELLED", []string{whole}, nil},
		{"many, a yes for the number", "bulk", nil, []string{"y\n", "y\n"}, print.Cancelled, "", "CANCELLED", nil, nil},
		{"many, another number", "bulk", nil, []string{"y\n", "4\n"}, print.Cancelled, "", "CANCELLED", nil, nil},
		{"many, the number in words", "bulk", nil, []string{"y\n", "five\n"}, print.Cancelled, "", "CANCELLED", nil, nil},

		{"Russian, да, да", "mixed", []string{"ru"}, []string{"да\n", "д\n"}, print.Done, "make wipe", "APPLIED", []string{wholeRu, "wipe нельзя будет отменить: ", ownRu}, []string{"[y/N]"}},
		{"Russian, да, нет", "mixed", []string{"ru"}, []string{"да\n", "нет\n"}, print.NeedsApproval, "make", "DRAFT", []string{"errand approve DRAFT wipe\n"}, []string{"[y/N]"}},
		{"Russian, да, another word", "mixed", []string{"ru"}, []string{"да\n", "дай\n"}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"Russian, нет", "mixed", []string{"ru"}, []string{"нет\n"}, print.Cancelled, "", "CANCELLED", []string{wholeRu}, []string{ownRu}},
		{"Russian, the input ends", "mixed", []string{"ru"}, []string{"д\n", endOfInput}, print.NeedsApproval, "make", "DRAFT", nil, nil},
		{"Russian, Ctrl+C", "mixed", []string{"ru"}, []string{"д\n", interrupt}, print.Interrupted, "", "DRAFT", []string{"черновик по-прежнему ждёт: errand drafts DRAFT"}, nil},
		{"Russian, the number", "bulk", []string{"ru"}, []string{"да\n", "5\n"}, print.Done, "m1 m2 m3 m4 wipe", "APPLIED", []string{"введите 5, чтобы выполнить:", ownRu}, nil},
		{"Russian, --yes", "mixed", []string{"ru", "--yes"}, nil, print.NeedsApproval, "make", "DRAFT", []string{"errand approve DRAFT wipe\n"}, []string{wholeRu, ownRu}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "Kept")
			if slices.Contains(tt.flags, "ru") {
				p.env, tt.flags = append(p.env, "LANG=ru_RU.UTF-8"), slices.DeleteFunc(slices.Clone(tt.flags), func(f string) bool { return f == "ru" })
			}
			code, shown := p.atTerminal(t, tt.typed, append([]string{"run", "--recipe", recipes[tt.recipe]}, tt.flags...)...)
			done, d := p.doneOf(t)
			if code != int(tt.exit) || done != tt.done || string(d.State) != tt.state {
				t.Errorf("exit %d, want %d; done %q, want %q; the draft is %s, want %s\n%s", code, tt.exit, done, tt.done, d.State, tt.state, shown)
			}
			for _, text := range tt.shows {
				if text = strings.ReplaceAll(text, "DRAFT", d.DraftID); !strings.Contains(shown, text) {
					t.Errorf("%q is not in\n%s", text, shown)
				}
			}
			for _, text := range tt.hides {
				if strings.Contains(shown, text) {
					t.Errorf("%q is in\n%s", text, shown)
				}
			}
		})
	}
}

// TestDestructiveStepsAreConfirmedLater checks that approve and resume ask about steps that still
// need their own confirmation, and don't ask about a step that is named in the command.
func TestDestructiveStepsAreConfirmedLater(t *testing.T) {
	recipes := destructiveRecipes(t)
	tests := []struct {
		name  string
		args  []string // ID and RUN stand for the draft and its run
		typed []string
		exit  print.Exit
		done  string
	}{
		{"approve, yes", []string{"approve", "ID"}, []string{"y\n"}, print.Done, "make wipe"},
		{"approve, no", []string{"approve", "ID"}, []string{"n\n"}, print.NeedsApproval, "make"},
		{"approve, the input ends", []string{"approve", "ID"}, []string{endOfInput}, print.NeedsApproval, "make"},
		{"approve, Ctrl+C", []string{"approve", "ID"}, []string{interrupt}, print.Interrupted, "make"},
		{"approve, named", []string{"approve", "ID", "wipe"}, nil, print.Done, "make wipe"},
		{"resume, yes", []string{"resume", "RUN"}, []string{"y\n"}, print.Done, "make wipe"},
		{"resume, no", []string{"resume", "RUN"}, []string{"n\n"}, print.Cancelled, "make"},
		{"resume --yes confirms nothing", []string{"resume", "RUN", "--yes"}, nil, print.NeedsApproval, "make"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "Kept")
			p.scripted(t, "run", "--yes", "--recipe", recipes["mixed"])
			_, d := p.doneOf(t)
			args := slices.Clone(tt.args)
			args[1] = strings.NewReplacer("ID", d.DraftID, "RUN", d.RunID).Replace(args[1])
			code, shown := p.atTerminal(t, tt.typed, args...)
			if done, _ := p.doneOf(t); code != int(tt.exit) || done != tt.done {
				t.Errorf("exit %d, want %d; done %q, want %q\n%s", code, tt.exit, done, tt.done, shown)
			}
		})
	}
}
