package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/build/must"
)

// sitting is a user at a terminal, in a home of their own.
type sitting struct {
	home string
	env  []string
}

func sit(t *testing.T, folders ...string) sitting {
	t.Helper()
	home := t.TempDir()
	for _, name := range append(folders, "") {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, "Documents", name), 0o700))
	}
	must.ShareKey(t, filepath.Join(home, ".local/share/errand"))
	return sitting{home, []string{"HOME=" + home, "XDG_CACHE_HOME=" + cache, "USER=ann"}}
}

// types runs a command with typed input, and returns its exit code and everything that it
// printed.
func (p sitting) types(t *testing.T, typed string, args ...string) (int, string) {
	t.Helper()
	var shown bytes.Buffer
	code := Main(t.Context(), System{
		Args: args, Env: p.env, Stdin: strings.NewReader(typed), Stdout: &shown, Stderr: &shown, CanAsk: true,
	})
	return code, shown.String()
}

func (p sitting) has(name string) bool {
	_, err := os.Stat(filepath.Join(p.home, "Documents", name))
	return err == nil
}

// drafts lists all drafts, like a script.
func (p sitting) drafts(t *testing.T) []drafts.View {
	t.Helper()
	var out bytes.Buffer
	Main(t.Context(), System{Args: []string{"drafts", "--all", "--json"}, Env: p.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	var got struct{ Drafts []drafts.View }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	return got.Drafts
}

// TestApprovalPrompt checks that one question covers the whole draft, and that every answer but
// yes is a no.
func TestApprovalPrompt(t *testing.T) {
	const one, five = "delete folder A in documents", "delete folders A, B, C, D and E in documents"
	tests := []struct {
		name, goal, typed string
		exit              print.Exit
		state             string
		shows             string
	}{
		{"yes", one, "y\n", print.Done, "APPLIED", "run this? [y/N] "},
		{"in full and in capitals", one, "YES\n", print.Done, "APPLIED", "Deleted "},
		{"in Russian", "удали папку A в документах", "да\n", print.Done, "APPLIED", "Удалено: "},
		{"no", one, "n\n", print.Cancelled, "CANCELLED", "ann did not approve it"},
		{"nothing", one, "\n", print.Cancelled, "CANCELLED", "ann did not approve it"},
		{"something else", one, "yesterday\n", print.Cancelled, "CANCELLED", "ann did not approve it"},
		{"end of input", one, "", print.Cancelled, "CANCELLED", "ann did not approve it"},
		{"a yes that was not finished", one, "y", print.Cancelled, "CANCELLED", "did not approve it"},
		{"the count", five, "5\n", print.Done, "APPLIED", "this changes 5 items at once; type 5"},
		{"another count", five, "4\n", print.Cancelled, "CANCELLED", "did not approve it"},
		{"yes in place of the count", five, "y\n", print.Cancelled, "CANCELLED", "did not approve it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A", "B", "C", "D", "E")
			code, shown := p.types(t, tt.typed, "run", tt.goal)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			if p.has("A") != (tt.exit != print.Done) {
				t.Errorf("A is there: %t", p.has("A"))
			}
			if d := p.drafts(t); len(d) != 1 || string(d[0].State) != tt.state {
				t.Errorf("drafts %+v, want one that is %s", d, tt.state)
			}
			if n := strings.Count(shown, "Delete the folder "+filepath.Join(p.home, "Documents", "A")+"\n"); tt.goal == one && n > 1 {
				t.Errorf("the plan is shown %d times:\n%s", n, shown)
			}
		})
	}
}

// TestChoicePrompt checks that a question shows its choices with numbers.
func TestChoicePrompt(t *testing.T) {
	heard := filepath.Join(t.TempDir(), "heard.json")
	must.Succeed(t, os.WriteFile(heard, []byte(`{"file_id": "f", "transcript": "what time is it", "confidence": 0.5}`), 0o600))
	pick, voice := []string{"run", "delete Notes in ~/Documents/a/b/c"}, []string{"run", "--voice", heard}
	tests := []struct {
		name  string
		args  []string
		typed string
		exit  print.Exit
		state string // of the draft; empty: there is none
		shows string
	}{
		{"by number", pick, "1\ny\n", print.Done, "APPLIED", "  1. a folder"},
		{"by its words", pick, "A Folder\ny\n", print.Done, "APPLIED", "Deleted "},
		{"by its value", pick, "folder\ny\n", print.Done, "APPLIED", "Deleted "},
		{"and then no", pick, "1\nn\n", print.Cancelled, "CANCELLED", "did not approve it"},
		{"later", pick, "\n", print.NeedsApproval, "BLOCKED", "errand answer "},
		{"end of input", pick, "", print.NeedsApproval, "BLOCKED", "errand answer "},
		{"heard well", voice, "yes\ny\n", print.Done, "APPLIED", "It is "},
		{"heard wrong", voice, "2\n", print.Failed, "", "it does not match what was said"},
		{"said again", voice, "what is the date\ny\n", print.Done, "APPLIED", "Show the date"},
		{"left open", voice, "\n", print.NeedsApproval, "BLOCKED", "Did you say"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "a/b/c/Notes")
			code, shown := p.types(t, tt.typed, tt.args...)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			if gone := tt.exit == print.Done && tt.args[1] == pick[1]; p.has("a/b/c/Notes") == gone {
				t.Errorf("Notes is there: %t", p.has("a/b/c/Notes"))
			}
			switch d := p.drafts(t); {
			case tt.state == "" && len(d) > 0:
				t.Errorf("drafts %+v, want none", d)
			case tt.state != "" && (len(d) != 1 || string(d[0].State) != tt.state):
				t.Errorf("drafts %+v, want one that is %s", d, tt.state)
			}
		})
	}
}

// TestApproveAsksAgain checks that approve asks at a terminal for a count that was not given, and
// again if the rules have changed since the draft was shown.
func TestApproveAsksAgain(t *testing.T) {
	tests := []struct {
		name, typed string
		rule        bool // is made between the question and the answer
		exit        print.Exit
		shows       string
	}{
		{"the count", "5\n", false, print.Done, "type 5 to run it"},
		{"another count", "6\n", false, print.NeedsApproval, "still waits; nothing was done"},
		{"nothing", "\n", false, print.NeedsApproval, "still waits; nothing was done"},
		{"a new rule", "5\n", true, print.Done, "changed since the draft was shown: the policy has changed"},
		{"a new rule that is not liked", "\n", true, print.NeedsApproval, "needs approval: folders are precious"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t, "A", "B", "C", "D", "E")
			var out bytes.Buffer
			Main(t.Context(), System{
				Args: []string{"run", "delete folders A, B, C, D and E in documents"}, Env: p.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
			})
			d := p.drafts(t)
			if len(d) != 1 {
				t.Fatalf("drafts %+v in\n%s", d, out.String())
			}
			if tt.rule {
				place := filepath.Join(p.home, ".config", "errand", "errand.toml")
				rule := "[[policy.rules]]\ntool = \"files.delete_folder\"\nverdict = \"ask\"\nreason = \"folders are precious\"\n"
				must.Succeed(t, os.MkdirAll(filepath.Dir(place), 0o700))
				must.Succeed(t, os.WriteFile(place, []byte(rule), 0o600))
			}
			code, shown := p.types(t, tt.typed, "approve", d[0].DraftID)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) || p.has("A") == (tt.exit == print.Done) {
				t.Errorf("exit %d, want %d, A there: %t, and %q in\n%s", code, tt.exit, p.has("A"), tt.shows, shown)
			}
		})
	}
}

// TestDeletionUsesTheTrashOfItsHome checks that a program with its own environment never uses the
// trash of the process's home.
func TestDeletionUsesTheTrashOfItsHome(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have another trash")
	}
	own := t.TempDir()
	t.Setenv("HOME", own)
	for name, goal := range map[string]string{"Old": "delete folder Old in documents", "a.txt": "delete file a.txt in documents"} {
		p := sit(t)
		path := filepath.Join(p.home, "Documents", name)
		if name == "Old" {
			must.Succeed(t, os.Mkdir(path, 0o700))
		} else if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, shown := p.types(t, "y\n", "run", goal); code != int(print.Done) || p.has(name) {
			t.Fatalf("%s: exit %d: %s", goal, code, shown)
		}
		if _, err := os.Lstat(filepath.Join(p.home, ".local", "share", "Trash", "files", name)); err != nil {
			t.Errorf("%s: %v", goal, err)
		}
	}
	if left, err := os.ReadDir(own); err != nil || len(left) > 0 {
		t.Errorf("in the home of the process: %v, %v", left, err)
	}
}
