package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
)

// TestLastIsNotExact checks that a command that approves or applies `last` shows the draft and
// asks, unless its terminal has shown that draft. Without a terminal the error has the id. The
// newest draft is from another program, made after the one that terminal 1 knows.
func TestLastIsNotExact(t *testing.T) {
	type step struct {
		terminal string
		args     []string // ID, REV and RUN: the newest draft, its revision, and the newest run
	}
	script := func(args ...string) step { return step{"", args} }
	one := func(args ...string) step { return step{"1", args} }
	propose := script("run", "delete folder B in documents")
	approved := script("approve", "ID", "--no-apply")
	done := script("run", "--yes", "delete folder B in documents")
	const asks, left = "[y/N]", "still waits; nothing was done"
	tests := []struct {
		name     string
		steps    []step
		terminal string
		typed    string
		args     []string
		exit     print.Exit
		shows    string // placeholders as above
		asked    bool
		there    string // of A and B
	}{
		{"approve, not shown, yes", []step{propose}, "1", "y\n", []string{"approve", "last"}, print.Done, "Delete the folder HOME/Documents/B", true, "A"},
		{"approve, not shown, no", []step{propose}, "1", "n\n", []string{"approve", "last"}, print.NeedsApproval, "draft ID " + left, true, "AB"},
		{"approve, not shown, the input ends", []step{propose}, "1", "", []string{"approve", "last"}, print.NeedsApproval, "draft ID " + left, true, "AB"},
		{"approve, only listed", []step{propose, one("drafts")}, "1", "n\n", []string{"approve", "last"}, print.NeedsApproval, left, true, "AB"},
		{"approve, shown in another terminal", []step{propose, {"2", []string{"drafts", "ID"}}}, "1", "n\n", []string{"approve", "last"}, print.NeedsApproval, left, true, "AB"},
		{"approve, only its run was shown", []step{propose, one("show", "RUN")}, "1", "n\n", []string{"approve", "last"}, print.NeedsApproval, left, true, "AB"},
		{"approve, shown", []step{propose, one("drafts", "last")}, "1", "", []string{"approve", "last"}, print.Done, "Deleted", false, "A"},
		{"approve, shown as JSON", []step{propose, one("drafts", "last", "--json")}, "1", "", []string{"approve", "last"}, print.Done, "Deleted", false, "A"},
		{"approve, proposed in this terminal", []step{one("run", "--json", "delete folder B in documents")}, "1", "", []string{"approve", "last"}, print.Done, "Deleted", false, "A"},
		{"approve, a step of it", []step{propose}, "1", "n\n", []string{"approve", "last", "a1"}, print.NeedsApproval, left, true, "AB"},
		{"approve, for later", []step{propose}, "1", "y\n", []string{"approve", "last", "--no-apply"}, print.Done, "errand apply ID", true, "AB"},
		{"approve, JSON asks nothing", []step{propose}, "1", "", []string{"approve", "last", "--json"}, print.Usage, `"code": "last_not_shown"`, false, "AB"},
		{"approve, no terminal", []step{propose}, "", "", []string{"approve", "last"}, print.Usage, "if you do mean it: errand approve ID\n", false, "AB"},
		{"approve, no terminal, a step of it", []step{propose}, "", "", []string{"approve", "last", "a1"}, print.Usage, "errand approve ID a1\n", false, "AB"},
		{"approve, no terminal, edited", []step{propose, script("edit", "ID", "a1", "path=~/Documents/A")}, "", "", []string{"approve", "last"}, print.Usage, "errand approve ID --seen REV\n", false, "AB"},
		{"approve, no terminal, the revision is exact", []step{propose}, "", "", []string{"approve", "last", "--seen", "REV"}, print.Done, "Deleted", false, "A"},
		{"approve, the id is exact", []step{propose}, "", "", []string{"approve", "ID"}, print.Done, "Deleted", false, "A"},

		{"apply, not shown, yes", []step{propose, approved}, "1", "y\n", []string{"apply", "last"}, print.Done, "Delete the folder HOME/Documents/B", true, "A"},
		{"apply, not shown, no", []step{propose, approved}, "1", "no\n", []string{"apply", "last"}, print.NeedsApproval, left, true, "AB"},
		{"apply, shown", []step{propose, one("drafts", "ID"), approved}, "1", "", []string{"apply", "last"}, print.Done, "Deleted", false, "A"},
		{"apply, edited and approved since", []step{propose, one("drafts", "ID"), script("edit", "ID", "a1", "path=~/Documents/A"), script("approve", "ID", "--no-apply", "--seen", "REV")}, "1", "n\n", []string{"apply", "last"}, print.NeedsApproval, "Delete the folder HOME/Documents/A", true, "AB"},
		{"apply, no terminal", []step{propose, approved}, "", "", []string{"apply", "last"}, print.Usage, "errand apply ID\n", false, "AB"},

		{"resume --yes, not shown, yes", []step{propose}, "1", "y\n", []string{"resume", "last", "--yes"}, print.Done, "Delete the folder HOME/Documents/B", true, "A"},
		{"resume --yes, not shown, no", []step{propose}, "1", "n\n", []string{"resume", "last", "--yes"}, print.Cancelled, "is cancelled", true, "AB"},
		{"resume --yes, only the run was shown", []step{propose, one("show", "RUN")}, "1", "n\n", []string{"resume", "last", "--yes"}, print.Cancelled, "", true, "AB"},
		{"resume --yes, shown", []step{propose, one("drafts", "ID")}, "1", "", []string{"resume", "last", "--yes"}, print.Done, "Deleted", false, "A"},
		{"resume --yes, no terminal", []step{propose}, "", "", []string{"resume", "last", "--yes"}, print.Usage, "errand resume RUN --yes\n", false, "AB"},
		{"resume, approved, not shown, yes", []step{propose, approved}, "1", "y\n", []string{"resume", "last"}, print.Done, "Delete the folder HOME/Documents/B", true, "A"},
		{"resume, approved, not shown, no", []step{propose, approved}, "1", "n\n", []string{"resume", "last"}, print.NeedsApproval, left, true, "AB"},
		{"resume, approved, no terminal", []step{propose, approved}, "", "", []string{"resume", "last"}, print.Usage, "errand resume RUN\n", false, "AB"},
		{"resume, approved, shown", []step{propose, one("drafts", "ID"), approved}, "1", "", []string{"resume", "last"}, print.Done, "Deleted", false, "A"},

		{"undo --yes, not shown, yes", []step{done}, "1", "y\n", []string{"undo", "last", "--yes"}, print.Done, "Restored", true, "AB"},
		{"undo --yes, not shown, no", []step{done}, "1", "n\n", []string{"undo", "last", "--yes"}, print.Cancelled, "nothing was undone", true, "A"},
		{"undo --yes, shown", []step{done, one("show", "RUN")}, "1", "", []string{"undo", "last", "--yes"}, print.Done, "Restored", false, "AB"},
		{"undo --yes, run in this terminal", []step{one("run", "--yes", "delete folder B in documents")}, "1", "", []string{"undo", "last", "--yes"}, print.Done, "Restored", false, "AB"},
		{"undo --yes, the undo was shown", []step{done, one("undo", "last", "--json")}, "1", "", []string{"undo", "last", "--yes"}, print.Done, "Restored", false, "AB"},
		{"undo --yes, no terminal", []step{done}, "", "", []string{"undo", "last", "--yes"}, print.Usage, "errand undo RUN --yes\n", false, "A"},
		{"undo --yes, a newer draft waits", []step{one("run", "--yes", "delete folder B in documents"), one("run", "--json", "delete folder A in documents")}, "1", "n\n", []string{"undo", "last", "--yes"}, print.Cancelled, "the newest goal still waits as a draft and changed nothing: delete folder A in documents", true, "A"},
		{"undo --yes, a newer run only read", []step{one("run", "--yes", "delete folder B in documents"), one("run", "what time is it")}, "1", "n\n", []string{"undo", "last", "--yes"}, print.Cancelled, "changed nothing that can be undone: what time is it; this undoes an earlier one: delete folder B", true, "A"},
		{"undo --yes, a newer draft, no terminal", []step{done, script("run", "delete folder A in documents")}, "", "", []string{"undo", "last", "--yes"}, print.Usage, "--yes\n", false, "A"},
		{"undo, a newer draft", []step{done, script("run", "delete folder A in documents")}, "", "", []string{"undo", "last"}, print.NeedsApproval, "this undoes an earlier one: delete folder B in documents", false, "A"},
		{"undo, no terminal", []step{done}, "", "", []string{"undo", "last"}, print.NeedsApproval, "errand approve ", false, "A"},

		{"reject is exact enough", []step{propose}, "", "", []string{"reject", "last"}, print.Done, "cancelled", false, "AB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A", "B")
			p.at(t, "1", "n\n", "run", "delete folder A in documents")
			fill := func(texts ...string) []string {
				d, filled := p.drafts(t)[0], []string{}
				names := strings.NewReplacer("HOME", p.home, "ID", d.DraftID, "REV", d.Revision, "RUN", p.runOf(t))
				for _, text := range texts {
					filled = append(filled, names.Replace(text))
				}
				return filled
			}
			for _, s := range tt.steps {
				args := fill(s.args...)
				if code, shown := p.at(t, s.terminal, "", args...); code != 0 && code != int(print.NeedsApproval) {
					t.Fatalf("%v: exit %d\n%s", args, code, shown)
				}
			}
			args, want := fill(tt.args...), fill(tt.shows)[0]
			code, shown := p.at(t, tt.terminal, tt.typed, args...)
			var there string
			for _, name := range []string{"A", "B"} {
				if p.has(name) {
					there += name
				}
			}
			if code != int(tt.exit) || there != tt.there || !strings.Contains(shown, want) {
				t.Errorf("exit %d, want %d; there %s, want %s; and %q in\n%s", code, tt.exit, there, tt.there, want, shown)
			}
			if asked := strings.Contains(shown, asks); asked != tt.asked {
				t.Errorf("asked: %t\n%s", asked, shown)
			}
		})
	}
}

// TestLastRecipeIsNotExact checks that --yes does not approve the recipe that `last` names.
func TestLastRecipeIsNotExact(t *testing.T) {
	tests := []struct {
		name, recipe string
		terminal     string
		typed        string
		flags        []string
		exit         print.Exit
		shows        string
		there        bool
	}{
		{"a terminal, yes", "tidy", "1", "y\n", []string{"--yes"}, print.Done, "[y/N]", false},
		{"a terminal, no", "tidy", "1", "n\n", []string{"--yes"}, print.Cancelled, "[y/N]", true},
		{"no terminal", "tidy", "", "", []string{"--yes"}, print.Usage, "errand run --yes --recipe tidy\n", true},
		{"no terminal, without --yes", "tidy", "", "", nil, print.NeedsApproval, "errand approve ", true},
		{"no terminal, only planned", "tidy", "", "", []string{"--yes", "--dry-run"}, print.Done, "", true},
		{"a recipe with that name", "last", "", "", []string{"--yes"}, print.Done, "Deleted", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A")
			dir := filepath.Join(p.home, ".config", "errand", "recipes")
			must.Succeed(t, os.MkdirAll(dir, 0o700))
			recipe := "schema = 1\nname = \"" + tt.recipe + "\"\ndescription = \"Delete a folder\"\n\n[[step]]\nid = \"wipe\"\ntool = \"files.delete_folder\"\nargs = { path = \"~/Documents/A\" }\n"
			must.Succeed(t, os.WriteFile(filepath.Join(dir, tt.recipe+".toml"), []byte(recipe), 0o600))
			code, shown := p.at(t, tt.terminal, tt.typed, append([]string{"run", "--recipe", "last"}, tt.flags...)...)
			if code != int(tt.exit) || p.has("A") != tt.there || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d; there: %t; and %q in\n%s", code, tt.exit, p.has("A"), tt.shows, shown)
			}
		})
	}
}
