package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
)

// at runs a command in a terminal with typed input. "" is a script without a terminal.
func (p sitting) at(t *testing.T, terminal, typed string, args ...string) (int, string) {
	t.Helper()
	var shown bytes.Buffer
	is := terminal != ""
	code := Main(t.Context(), System{
		Args: args, Env: p.env, Stdin: strings.NewReader(typed), Stdout: &shown, Stderr: &shown, CanAsk: is, Terminal: is, TerminalErr: is, TerminalID: terminal,
	})
	return code, shown.String()
}

// TestApproveShownRevision checks that an approval is for the revision that its terminal showed
// last, if another process edits the draft meanwhile.
func TestApproveShownRevision(t *testing.T) {
	type step struct {
		terminal string
		args     []string // ID stands for the draft
	}
	show := func(terminal string) step { return step{terminal, []string{"drafts", "ID"}} }
	edit := func(terminal string) step { return step{terminal, []string{"edit", "ID", "a1", "path=~/Documents/C"}} }
	drop := step{"", []string{"edit", "ID", "--drop", "a1"}}
	const difference = `a1: path is now "HOME/Documents/C"; it was "HOME/Documents/A"`
	tests := []struct {
		name     string
		steps    []step
		terminal string // that approves
		typed    string
		flags    []string
		exit     print.Exit
		shows    string // empty: nothing is asked
		left     string // of A, B and C
	}{
		{"nothing changed", []step{show("1")}, "1", "", nil, print.Done, "", "C"},
		{"changed after it was shown, yes", []step{show("1"), edit("")}, "1", "y\n", nil, print.Done, difference, "A"},
		{"changed after it was shown, no", []step{show("1"), edit("")}, "1", "n\n", nil, print.NeedsApproval, difference, "ABC"},
		{"an action was left out", []step{show("1"), drop}, "1", "n\n", nil, print.NeedsApproval, "a1 was removed: Delete the folder HOME/Documents/A", "ABC"},
		{"shown again", []step{show("1"), edit(""), show("1")}, "1", "", nil, print.Done, "", "A"},
		{"shown again in another terminal", []step{show("1"), edit(""), show("2")}, "1", "n\n", nil, print.NeedsApproval, difference, "ABC"},
		{"edited in this terminal", []step{edit("1")}, "1", "", nil, print.Done, "", "A"},
		{"only listed", []step{edit(""), {"1", []string{"drafts"}}}, "1", "n\n", nil, print.NeedsApproval, difference, "ABC"},
		{"shown as JSON", []step{edit(""), {"1", []string{"drafts", "ID", "--json"}}}, "1", "", nil, print.Done, "", "A"},
		{"never shown here, changed", []step{edit("")}, "1", "n\n", nil, print.NeedsApproval, difference, "ABC"},
		{"never shown here, not changed", nil, "1", "", nil, print.Done, "", "C"},
		{"changed back", []step{show("1"), edit(""), {"", []string{"edit", "ID", "a1", "path=~/Documents/A"}}}, "1", "y\n", nil, print.Done, "has changed since you saw it", "C"},
		{"no terminal, not changed", nil, "", "", nil, print.Done, "", "C"},
		{"no terminal, changed", []step{edit("")}, "", "", nil, print.NeedsApproval, difference, "ABC"},
		{"no terminal, changed by itself", []step{edit("")}, "", "", []string{"--seen", "NEW"}, print.Done, "", "A"},
		{"no terminal, names the old one", []step{edit("")}, "", "", []string{"--seen", "OLD"}, print.NeedsApproval, difference, "ABC"},
		{"names an unknown one", []step{show("1")}, "1", "n\n", []string{"--seen", "ffffffffffff"}, print.NeedsApproval, "has changed since you saw it", "ABC"},
		{"only approves what changed", []step{show("1"), edit("")}, "1", "y\n", []string{"--no-apply"}, print.Done, difference, "ABC"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A", "B", "C")
			p.at(t, "", "", "run", "delete folders A and B in documents")
			d := p.drafts(t)[0]
			with := func(args ...string) []string {
				now := p.drafts(t)[0]
				for i := range args {
					args[i] = strings.NewReplacer("ID", d.DraftID, "OLD", d.Revision, "NEW", now.Revision).Replace(args[i])
				}
				return args
			}
			for _, s := range tt.steps {
				if code, shown := p.at(t, s.terminal, "", with(append([]string{}, s.args...)...)...); code != 0 {
					t.Fatalf("%v: exit %d\n%s", s.args, code, shown)
				}
			}
			code, shown := p.at(t, tt.terminal, tt.typed, append([]string{"approve"}, with(append([]string{"ID"}, tt.flags...)...)...)...)
			var there string
			for _, name := range []string{"A", "B", "C"} {
				if p.has(name) {
					there += name
				}
			}
			if code != int(tt.exit) || there != tt.left || !strings.Contains(shown, strings.ReplaceAll(tt.shows, "HOME", p.home)) {
				t.Errorf("exit %d, want %d; left %s, want %s; and %q in\n%s", code, tt.exit, there, tt.left, tt.shows, shown)
			}
			if asked := strings.Contains(shown, "[y/N]"); asked != (tt.typed != "") {
				t.Errorf("asked: %t\n%s", asked, shown)
			}
		})
	}
}

// TestResumeApprovesProposedRevision checks that resume --yes does not approve a draft that was
// edited since it was proposed. The error has the command that approves the present revision.
func TestResumeApprovesProposedRevision(t *testing.T) {
	edit := []string{"edit", "ID", "a1", "path=~/Documents/C"}
	tests := []struct {
		name     string
		edits    [][]string
		terminal string
		exit     print.Exit
		left     string // of A, B and C
	}{
		{"not changed", nil, "", print.Done, "C"},
		{"not changed, at a terminal", nil, "1", print.Done, "C"},
		{"edited", [][]string{edit}, "", print.NeedsApproval, "ABC"},
		{"edited, at a terminal", [][]string{edit}, "1", print.NeedsApproval, "ABC"},
		{"edited twice", [][]string{edit, {"edit", "ID", "a2", "path=~/Documents/A"}}, "", print.NeedsApproval, "ABC"},
		{"an action was left out", [][]string{{"edit", "ID", "--drop", "a1"}}, "", print.NeedsApproval, "ABC"},
		{"approved for later, then edited", [][]string{{"approve", "ID", "--no-apply"}, edit}, "", print.NeedsApproval, "ABC"},
		{"edited, then approved for later", [][]string{edit, {"approve", "ID", "--no-apply", "--seen", "NEW"}}, "", print.Done, "A"},
		{"changed back", [][]string{edit, {"edit", "ID", "a1", "path=~/Documents/A"}}, "", print.NeedsApproval, "ABC"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A", "B", "C")
			p.at(t, "", "", "run", "delete folders A and B in documents")
			d := p.drafts(t)[0]
			for _, args := range tt.edits {
				names := strings.NewReplacer("ID", d.DraftID, "NEW", p.drafts(t)[0].Revision)
				typed := make([]string, len(args))
				for i, arg := range args {
					typed[i] = names.Replace(arg)
				}
				if code, shown := p.at(t, "", "", typed...); code != 0 {
					t.Fatalf("%v: exit %d\n%s", typed, code, shown)
				}
			}
			code, shown := p.at(t, tt.terminal, "", "resume", d.RunID, "--yes")
			var left string
			for _, name := range []string{"A", "B", "C"} {
				if p.has(name) {
					left += name
				}
			}
			if code != int(tt.exit) || left != tt.left {
				t.Fatalf("exit %d, want %d; left %s, want %s\n%s", code, tt.exit, left, tt.left, shown)
			}
			if command := "errand approve " + d.DraftID + " --seen " + p.drafts(t)[0].Revision; tt.exit == print.NeedsApproval && !strings.Contains(shown, command) {
				t.Errorf("no %q in\n%s", command, shown)
			}
		})
	}
}

// TestErrorHasApproveCommand checks that without a terminal the error has the command to type.
func TestErrorHasApproveCommand(t *testing.T) {
	p := sit(t, "A", "B", "C", "D", "E", "F")
	p.at(t, "", "", "run", "delete folders A, B, C, D and E in documents")
	id := p.drafts(t)[0].DraftID
	p.at(t, "", "", "edit", id, "a1", "path=~/Documents/F")
	for _, args := range [][]string{{"approve", id, "a2"}, {"approve", id}} {
		code, shown := p.at(t, "", "", args...)
		command := regexp.MustCompile(`errand (approve \S+( a2)?( --confirm \d+)? --seen \w+)\n`).FindStringSubmatch(shown)
		if code != int(print.NeedsApproval) || command == nil || (args[len(args)-1] == "a2") != (command[2] != "") {
			t.Fatalf("%v: exit %d, %q in\n%s", args, code, command, shown)
		}
		typed := strings.Fields(command[1])
		if code, shown = p.at(t, "", "", typed...); strings.Contains(shown, "has changed") {
			t.Errorf("%v: exit %d\n%s", typed, code, shown)
		}
	}
	if p.has("B") || p.has("F") || !p.has("A") {
		t.Errorf("left: A %t, B %t, F %t", p.has("A"), p.has("B"), p.has("F"))
	}
}

// TestUnwritableStateFolder checks that an edit is shown again before it is approved if the state
// folder can't be written.
func TestUnwritableStateFolder(t *testing.T) {
	p := sit(t, "A", "B")
	must.Succeed(t, os.MkdirAll(filepath.Join(p.home, ".local", "state"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(p.home, ".local", "state", "errand"), nil, 0o600))
	p.at(t, "", "", "run", "delete folder A in documents")
	id := p.drafts(t)[0].DraftID
	p.at(t, "1", "", "edit", id, "a1", "path=~/Documents/B")
	if code, shown := p.at(t, "1", "\n", "approve", id); code != int(print.NeedsApproval) || !strings.Contains(shown, "has changed") || !p.has("B") {
		t.Errorf("exit %d\n%s", code, shown)
	}
}
