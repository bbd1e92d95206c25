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
	"errand/app/runs"
	"errand/build/must"
)

// endless is a WASI command that never ends, so that its effect is unknown: (module (memory
// (export "memory") 1) (func (export "_start") (loop (br 0)))).
const endless = "\x00asm\x01\x00\x00\x00" +
	"\x01\x04\x01\x60\x00\x00" + // the type of a function without parameters and results
	"\x03\x02\x01\x00" + // one function of that type
	"\x05\x03\x01\x00\x01" + // a memory of one page
	"\x07\x13\x02\x06memory\x02\x00\x06_start\x00\x00" +
	"\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b" // loop, branch to its beginning

const endlessManifest = `schema = 1
id = "endless"
version = "1.0.0"
description = "Never ends"
module = "endless.wasm"
abi = "wasi"
[limits]
timeout_ms = 200
[[tool]]
name = "endless.create_folder"
description = "Never ends"
side_effect_class = "write"
effect = "file"
can_achieve = ["file_operation", "create_folder"]
args_schema = '''{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}'''
`

// withEndless is a user whose folders are made by a tool that never ends, with or without
// approval.
func withEndless(t *testing.T, unasked bool) sitting {
	t.Helper()
	p := sit(t)
	files := map[string]string{
		".local/share/errand/plugins/endless/endless.wasm": endless,
		".local/share/errand/plugins/endless/plugin.toml":  endlessManifest,
	}
	files[".config/errand/errand.toml"] = "[plugins.endless]\npreferred = true\n"
	if unasked {
		files[".config/errand/errand.toml"] += "[policy]\nuser_goal_tools = [\"endless.*\"]\n"
	}
	for name, content := range files {
		place := filepath.Join(p.home, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(place), 0o700))
		must.Succeed(t, os.WriteFile(place, []byte(content), 0o600))
	}
	if code, out := p.scripted(t, "plugin", "enable", "endless", "--yes"); code != 0 {
		t.Fatal(out)
	}
	return p
}

// unseen is a user with a run of unknown outcome, of a goal that ran without approval or of an
// approved draft.
func unseen(t *testing.T, unasked bool) (p sitting, run string) {
	t.Helper()
	p = withEndless(t, unasked)
	code, out := p.scripted(t, "run", "--yes", "--json", "create folders X and Y in documents")
	var r runs.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != int(print.Failed) {
		t.Fatalf("exit %d, %v; want the deadline in\n%s", code, err, out)
	}
	return p, r.RunID
}

// scripted runs a command without a terminal.
func (p sitting) scripted(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := Main(t.Context(), System{Args: args, Env: p.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	return code, out.String()
}

// TestAskAboutUnknownOutcome checks that a step of unknown outcome is never called again without
// an answer, and that the user's answer counts.
func TestAskAboutUnknownOutcome(t *testing.T) {
	const prompt = "was it done? [done/not-done/N] "
	tests := []struct {
		name, typed string
		exit        print.Exit
		prompts     int    // how often it is asked
		shows       string // in what is shown at the end
	}{
		{"both done", "done\ndone\n", print.Done, 2, ""},
		{"in capitals", "Done\nDONE\n", print.Done, 2, ""},
		{"nothing is a no", "\n\n", print.Failed, 2, "RUN a1=done, or =not-done"},
		{"a yes is neither", "y\nyes\n", print.Failed, 2, "outcome unknown"},
		{"end of input", "", print.Failed, 2, "outcome unknown"},
		{"one of them", "done\n\n", print.Failed, 2, "RUN a2=done, or =not-done"},
		{"not done is tried again", "not-done\ndone\n", print.Failed, 2, "errand: plugin endless "}, // ended by its own limit, or the step's
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, run := unseen(t, true)
			code, shown := p.types(t, tt.typed, "resume", run)
			if code != int(tt.exit) || strings.Count(shown, prompt) != tt.prompts || !strings.Contains(shown, strings.ReplaceAll(tt.shows, "RUN", run)) {
				t.Errorf("exit %d, want %d, %d prompts and %q in\n%s", code, tt.exit, tt.prompts, tt.shows, shown)
			}
			if !strings.Contains(shown, "path: "+filepath.Join(p.home, "Documents", "X")) {
				t.Errorf("what it is about is not shown in full:\n%s", shown)
			}
		})
	}
	t.Run("nobody is asked in a script", func(t *testing.T) {
		p, run := unseen(t, true)
		for _, args := range [][]string{{"resume", run}, {"resume", run, "--json"}} {
			if code, out := p.scripted(t, args...); code != int(print.Failed) || strings.Contains(out, prompt) || !strings.Contains(out, "outcome_unknown") && !strings.Contains(out, "errand answer "+run+" a1=done") {
				t.Errorf("%q: exit %d\n%s", args, code, out)
			}
		}
	})
}

// TestApproveWithUnknownOutcome checks the same for a draft. A finished action need not be named
// again, and no other action runs.
func TestApproveWithUnknownOutcome(t *testing.T) {
	tests := []struct {
		name, typed string
		actions     []string
		exit        print.Exit
		state       string
		shows       string
	}{
		{"both done", "done\ndone\n", nil, print.Done, "APPLIED", "was it done?"},
		{"one is named", "done\n", []string{"a1"}, print.NeedsApproval, "DRAFT", "a1  Run endless.create_folder"},
		{"both are named", "done\ndone\n", []string{"a1", "a2"}, print.Done, "APPLIED", "was it done?"},
		{"left open", "\n\n", nil, print.Failed, "BLOCKED", "a1=done, or a1=not-done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := unseen(t, false)
			id := p.drafts(t)[0].DraftID
			code, shown := p.types(t, tt.typed, append([]string{"approve", id}, tt.actions...)...)
			d := p.drafts(t)[0]
			if code != int(tt.exit) || string(d.State) != tt.state || !strings.Contains(shown, tt.shows) {
				t.Errorf("exit %d, want %d; state %s, want %s; and %q in\n%s", code, tt.exit, d.State, tt.state, tt.shows, shown)
			}
		})
	}
}

// TestApproveBesideUnknownOutcome checks that an action that was named with it and has run
// meanwhile is not asked for again.
func TestApproveBesideUnknownOutcome(t *testing.T) {
	p := withEndless(t, false)
	p.scripted(t, "run", "create folder X in documents and create file f.txt in documents")
	id := p.drafts(t)[0].DraftID
	if code, out := p.scripted(t, "approve", id, "a1"); code != int(print.Failed) {
		t.Fatalf("exit %d, want the deadline\n%s", code, out)
	}
	code, shown := p.types(t, "done\n", "approve", id, "a1", "a2")
	if d := p.drafts(t)[0]; code != 0 || d.State != "APPLIED" || !p.has("f.txt") || strings.Count(shown, "was it done?") != 1 {
		t.Errorf("exit %d, %s, file there: %t\n%s", code, d.State, p.has("f.txt"), shown)
	}
}

// TestAnswerUnknownOutcome checks that an answer about a step is shown immediately, for a draft
// and for a run without one.
func TestAnswerUnknownOutcome(t *testing.T) {
	for name, unasked := range map[string]bool{"a run": true, "a draft": false} {
		t.Run(name, func(t *testing.T) {
			p, run := unseen(t, unasked)
			code, out := p.scripted(t, "answer", run, "a1=done", "a2=not-done")
			title, next := "run "+run+"\n", "errand resume "+run
			if !unasked {
				id := p.drafts(t)[0].DraftID
				title, next = "draft "+id+" · ", "errand approve "+id
			}
			if code != 0 || !strings.HasPrefix(out, title) || !strings.Contains(out, "Documents/X · done\n") || !strings.Contains(out, "Documents/Y\n") || !strings.Contains(out, next+"\n") {
				t.Errorf("exit %d\n%s", code, out)
			}
			if !unasked {
				if d := p.drafts(t)[0]; d.Actions[0].Status != drafts.ActionDone || d.Actions[1].Status != drafts.ActionProposed || d.Actions[1].Error != nil {
					t.Errorf("the draft still says %+v", d.Actions)
				}
			}
			for said, want := range map[string]string{"a1=done": "the outcome of a1 is known", "a2=maybe": `"maybe" is not done or not-done`, "a9=done": "a9"} {
				if code, out := p.scripted(t, "answer", run, said); code != int(print.Usage) || !strings.Contains(out, want) || !strings.Contains(out, "hint: errand ") {
					t.Errorf("%s: exit %d, want %q in\n%s", said, code, want, out)
				}
			}
		})
	}
}
