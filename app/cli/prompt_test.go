package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/app/drafts"
	"errand/build/must"
	"errand/planner/message"
	"errand/policy"
)

// TestChoiceListAcceptsNo checks that "no" ends the question, with choices or without, and is not taken for a name.
// The same holds for a number without a choice.
func TestChoiceListAcceptsNo(t *testing.T) {
	tests := []struct {
		name, goal, typed string
		exit              print.Exit
		made              string // of Documents; empty: nothing
		shows             string
	}{
		{"n", "create folder Z in documents and frobnicate the moon", "n\n", print.Cancelled, "", "you answered no; nothing was changed"},
		{"no", "create folder Z in documents and frobnicate the moon", "No\n", print.Cancelled, "", "you answered no; nothing was changed"},
		{"in Russian", "create folder Z in documents and frobnicate the moon", "нет\n", print.Cancelled, "", "you answered no; nothing was changed"},
		{"a number too high, then nothing", "create folder Z in documents and frobnicate the moon", "2\n\n", print.NeedsApproval, "", `"2" is not a choice`},
		{"a number below one, thrice", "create folder Z in documents and frobnicate the moon", "0\n-1\n9\n1\n", print.NeedsApproval, "", `"9" is not a choice`},
		{"a number", "create folder Z in documents and frobnicate the moon", "1\n", print.Done, "Z", "Created "},
		{"without choices", "create folder in documents", "No\n", print.Cancelled, "", "you answered no; nothing was changed"},
		{"without choices, in Russian", "создай папку в документах", "нет\n", print.Cancelled, "", "вы ответили «нет»; ничего не изменено"},
		{"of a deletion", "delete in documents", "n\n", print.Cancelled, "", "you answered no; nothing was changed"},
		{"nothing leaves it open", "create folder in documents", "\n", print.NeedsApproval, "", "waits for an answer"},
		{"a name", "create folder in documents", "Norway\ny\n", print.Done, "Norway", "Created "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			code, shown := p.types(t, tt.typed, "run", tt.goal)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			made, err := filepath.Glob(filepath.Join(p.home, "Documents", "*"))
			if err != nil || tt.made == "" && len(made) > 0 || tt.made != "" && (len(made) != 1 || filepath.Base(made[0]) != tt.made) {
				t.Errorf("%q was made, want %q\n%s", made, tt.made, shown)
			}
		})
	}
}

// TestHostQuestion checks the answers to the question about a host that is not listed. Names
// do not resolve here, so that a run which may contact the host fails for that reason.
func TestHostQuestion(t *testing.T) {
	tests := []struct {
		name, typed string
		flags       []string
		exit        print.Exit
		shows       string
		grants      string // scopes of the grants, in their order
	}{
		{"its number", "1\n", nil, print.Failed, "could not be resolved", "run"},
		{"yes is once", "y\n", nil, print.Failed, "could not be resolved", "run"},
		{"a word", "once\n", nil, print.Failed, "could not be resolved", "run"},
		{"always", "2\n", nil, print.Failed, "could not be resolved", "always"},
		{"no", "no\n", nil, print.Cancelled, "did not allow example.org", ""},
		{"its number is no", "3\n", nil, print.Cancelled, "did not allow example.org", ""},
		{"nothing", "\n", nil, print.NeedsApproval, "host:example.org=once", ""},
		{"another host", "example.com\n\n", nil, print.NeedsApproval, `"example.com" is not a choice`, ""},
		{"approved in advance", "1\n", []string{"--yes"}, print.NeedsApproval, "--allow example.org", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			code, shown := p.types(t, tt.typed, append([]string{"run", "open example.org"}, tt.flags...)...)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			_, out := p.scripted(t, "policy", "grants", "--all", "--json")
			var list struct {
				Grants []struct {
					Pattern string       `json:"pattern"`
					Scope   policy.Scope `json:"scope"`
					Run     string       `json:"run"`
				}
			}
			must.Succeed(t, json.Unmarshal([]byte(out), &list))
			var scopes []string
			for _, g := range list.Grants {
				scopes = append(scopes, string(g.Scope))
				if g.Pattern != "example.org" || (g.Scope == policy.ForRun) != (g.Run == p.runOf(t)) {
					t.Errorf("granted %+v", g)
				}
			}
			if got := strings.Join(scopes, " "); got != tt.grants {
				t.Errorf("granted %q, want %q", got, tt.grants)
			}
		})
	}
}

// TestFolderQuestion checks the answers to the question about a folder that tools may not use: of
// a run at once, and of a draft by errand answer.
func TestFolderQuestion(t *testing.T) {
	tests := []struct {
		name, typed string
		flags       []string
		exit        print.Exit
		shows       string
		scopes      string
	}{
		{"its number", "1\n", nil, print.Done, "a.txt", "run"},
		{"yes is once", "yes\n", nil, print.Done, "a.txt", "run"},
		{"always", "2\n", nil, print.Done, "until you revoke it: errand policy revoke ", "always"},
		{"no", "no\n", nil, print.Cancelled, "did not allow", ""},
		{"nothing", "\n", nil, print.NeedsApproval, "Pictures=once", ""},
		{"approved in advance", "1\n", []string{"--yes"}, print.Failed, "Errand may not use", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := sit(t)
			must.Succeed(t, os.MkdirAll(filepath.Join(p.home, "Pictures"), 0o700))
			must.Succeed(t, os.WriteFile(filepath.Join(p.home, "Pictures/a.txt"), nil, 0o600))
			code, shown := p.types(t, tt.typed, append([]string{"run", "show files in pictures"}, tt.flags...)...)
			if code != int(tt.exit) || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			if got := p.scopes(t); got != tt.scopes {
				t.Errorf("granted %q, want %q", got, tt.scopes)
			}
			if tt.exit != print.NeedsApproval {
				return
			}
			id := p.drafts(t)[0].DraftID
			if code, shown := p.types(t, "\n", "answer", id); code != int(print.NeedsApproval) || !strings.Contains(shown, "Allow it?") {
				t.Errorf("no answer: exit %d in\n%s", code, shown)
			}
			code, shown = p.types(t, "2\n", "answer", id)
			if code != int(print.Done) || !strings.Contains(shown, "errand policy revoke ") || p.scopes(t) != "always" {
				t.Errorf("answered: exit %d, granted %q in\n%s", code, p.scopes(t), shown)
			}
		})
	}
}

// scopes returns the scopes of all grants.
func (p sitting) scopes(t *testing.T) string {
	t.Helper()
	_, out := p.scripted(t, "policy", "grants", "--all", "--json")
	var list struct {
		Grants []struct {
			Scope string `json:"scope"`
		}
	}
	must.Succeed(t, json.Unmarshal([]byte(out), &list))
	var scopes []string
	for _, g := range list.Grants {
		scopes = append(scopes, g.Scope)
	}
	return strings.Join(scopes, " ")
}

// runOf returns the newest run.
func (p sitting) runOf(t *testing.T) string {
	t.Helper()
	_, out := p.scripted(t, "runs", "--json")
	var got struct {
		Runs []struct {
			RunID string `json:"run_id"`
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Runs) == 0 {
		t.Fatalf("%v in %s", err, out)
	}
	return got.Runs[0].RunID
}

// TestConfirmUndoAndResume checks that undo and resume ask like run does. A no ends the draft,
// and nothing is done.
func TestConfirmUndoAndResume(t *testing.T) {
	tests := []struct {
		command, typed string
		exit           print.Exit
		state          string
		there          bool // the folder, afterwards
		shows          string
	}{
		{"undo", "y\n", print.Done, "APPLIED", true, "undo RUN: delete folder A in documents"},
		{"undo", "n\n", print.Cancelled, "CANCELLED", false, "is cancelled; nothing was undone"},
		{"undo", "\n", print.Cancelled, "CANCELLED", false, "is cancelled"},
		{"undo", "", print.Cancelled, "CANCELLED", false, "is cancelled"},
		{"resume", "y\n", print.Done, "APPLIED", false, "run this? [y/N] "},
		{"resume", "n\n", print.Cancelled, "CANCELLED", true, "is cancelled; nothing more was done"},
		{"resume", "", print.Cancelled, "CANCELLED", true, "is cancelled"},
	}
	for _, tt := range tests {
		t.Run(tt.command+" "+strings.TrimSpace(tt.typed), func(t *testing.T) {
			p := sit(t, "A")
			first := []string{"run", "delete folder A in documents"}
			if tt.command == "undo" {
				first = append(first, "--yes")
			}
			p.scripted(t, first...)
			run := p.runOf(t)
			code, shown := p.types(t, tt.typed, tt.command, run)
			if code != int(tt.exit) || !strings.Contains(shown, strings.ReplaceAll(tt.shows, "RUN", run)) {
				t.Errorf("exit %d, want %d, and %q in\n%s", code, tt.exit, tt.shows, shown)
			}
			if d := p.drafts(t); string(d[0].State) != tt.state || p.has("A") != tt.there {
				t.Errorf("the draft is %s, want %s; A there: %t\n%s", d[0].State, tt.state, p.has("A"), shown)
			}
		})
	}
}

// TestQuestionShowsWholeDraft checks that the question shows which part of the goal the draft is
// and what can't be undone, like errand drafts.
func TestQuestionShowsWholeDraft(t *testing.T) {
	d := drafts.View{
		DraftID: "d", Goal: "g", Part: message.Verbatim("no tool sends mail"),
		Irreversible: []drafts.IrreversibleStep{{StepID: "a2", Tool: "mail.send", Reason: message.Verbatim("it was sent")}},
	}
	var shown bytes.Buffer
	s := newCommands(t.Context(), System{Stdin: strings.NewReader("n\n"), Stdout: &shown, Stderr: &shown})
	if answer, err := s.AskAgain(t.Context(), d); err != nil || answer.Yes {
		t.Fatalf("%+v, %v; want a no", answer, err)
	}
	body, _, asked := strings.Cut(shown.String(), "run this?")
	for _, want := range []string{"g\n", "only part of the goal: no tool sends mail\n", "a2 mail.send can't be undone: it was sent\n"} {
		if !asked || !strings.Contains(body, want) {
			t.Errorf("%q is not above the question:\n%s", want, shown.String())
		}
	}
}
