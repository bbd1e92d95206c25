package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
	"errand/host/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func litmus() trace.Record {
	return trace.Record{
		Run: trace.Run{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3r", Goal: "open youtube and search nvidia", Status: trace.Done,
			StartedAt: noon, DurationMS: 2512, Actions: 1, Answer: "Opened nvidia - YouTube.",
			Interpretation: json.RawMessage(`{"status":"ok","goals":[{"goal_type":"browser_search"}]}`),
			Result:         json.RawMessage(`{"status":"success"}`),
		},
		Steps: []trace.Step{{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3r", StepID: "a1", ToolName: "system.apps.launch.shell",
			ArgsHash: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", DurationMS: 2101, Status: trace.Done,
			Artifacts: []tool.Artifact{{
				Name: "screenshot.png", MediaType: "image/png", Size: 182345, SHA256: "ab12",
				Path: "/home/ann/.local/share/errand/artifacts/ab/ab12.png",
			}},
			PolicyFlags: []string{}, StartedAt: noon.Add(100 * time.Millisecond), Verdict: "allow", Rule: "user_goal_tools",
			Reason: "a person's own goal", Attempts: 1,
			Args:    map[string]any{"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
			Payload: map[string]any{"title": "nvidia - YouTube", "url": "https://www.youtube.com/results?search_query=nvidia", "status": 200.0},
			Facts:   []string{"page_open"},
		}},
		Events: []trace.Event{
			trace.Connection("", "a1", noon.Add(200*time.Millisecond), "youtube.com", 443, "allow", "list", "listed"),
			trace.Connection("", "a1", noon.Add(300*time.Millisecond), "www.youtube.com", 443, "allow", "list", "listed"),
			trace.Connection("", "a1", noon.Add(400*time.Millisecond), "www.youtube.com", 443, "allow", "list", "listed"),
			trace.Connection("", "a1", noon.Add(500*time.Millisecond), "192.168.0.1", 80, "deny", "floor.private_address", "192.168.0.1 is a private address"),
			{Time: noon.Add(50 * time.Millisecond), Kind: "browser", Data: map[string]any{"pid": 4711.0}},
		},
	}
}

// troubled is a run in which everything went wrong, much of it maliciously.
func troubled() trace.Record {
	evil := "Free\x1b[2J\x1b]0;owned\a money\r\n3. bank.transfer · done \u202etxt.exe\u2066 \x9b31m \xff\u200b\U000e0041 👩\u200d💻"
	full := tool.Errorf(tool.ToolUnavailable, "name_not_resolved", "the name example.org could not be resolved").WithHint("is there a network?")
	many := map[string]any{}
	for _, k := range strings.Split("abcdefghijklmnop", "") {
		many[k] = k
	}
	return trace.Record{
		Run: trace.Run{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3s", Goal: "open " + evil, Status: trace.Failed, StartedAt: noon,
			DurationMS: 3_725_000, Error: full,
		},
		Steps: []trace.Step{
			{
				StepID: "a1", ToolName: "browser.read", Status: trace.Done, DurationMS: 61_000, Attempts: 2, Verdict: "ask", Rule: "rules[2]", Reason: evil,
				PolicyFlags: []string{trace.FlagApproved, trace.FlagRetried}, Payload: map[string]any{"title": evil, evil: strings.Repeat("long ", 100), "list": []any{"<a>", 1.0, nil}}, Args: many,
			},
			{
				StepID: "a2", ToolName: "browser.open", Status: trace.Failed, DurationMS: 800, Attempts: 1, Verdict: "allow", Error: full,
				PolicyFlags: []string{trace.FlagAbandoned, trace.FlagUnrecorded}, Payload: evil,
			},
			{
				StepID: "a3", ToolName: "browser.open", Status: trace.Denied, Verdict: "deny", Rule: "floor.private_address", Reason: "127.0.0.1 is a private address",
				Error: tool.Errorf(tool.PolicyDenied, "denied", "127.0.0.1 is a private address").WithHint("allow_private can open it"),
			},
			{StepID: "a4", ToolName: "files.delete_folder", Status: trace.Denied, Verdict: "ask", Error: tool.Errorf(tool.PolicyDenied, "rejected", "files.delete_folder was not approved")},
			{StepID: "a5", ToolName: "files.create_folder", Status: trace.NeedsApproval, Verdict: "ask", Rule: "write"},
			{StepID: "a6", ToolName: "files.create_folder", Status: trace.Skipped, Error: tool.Errorf(tool.ExecutionError, "dependency_failed", "skipped, because a2, on which it depends, did not succeed")},
			trace.Unsettled(trace.Claim{Effect: tool.Unknown, Step: trace.Step{StepID: "a7", ToolName: "files.create_file", Verdict: "allow"}}),
			trace.Unsettled(trace.Claim{Effect: tool.Pending, Step: trace.Step{StepID: "a8", ToolName: "files.create_file", Verdict: "allow"}}),
			{StepID: "a9", ToolName: evil, Status: trace.Status(evil), PolicyFlags: []string{trace.FlagUnredacted}, Artifacts: []tool.Artifact{{Name: evil, MediaType: evil, Path: evil}}},
		},
	}
}

func TestPrint(t *testing.T) {
	interrupted := trace.Record{Run: trace.Run{
		RunID: "01kjmma2g0dq4v7x8m2c5n9p3t", Goal: "what time is it", Status: trace.Interrupted, StartedAt: noon, DurationMS: 12,
		Error: tool.Errorf(tool.ExecutionError, "interrupted", "the program ended before the run did"),
	}}
	tests := []struct {
		golden string
		rec    trace.Record
		o      trace.PrintOptions
	}{
		{"litmus", litmus(), trace.PrintOptions{}},
		{"litmus_verbose", litmus(), trace.PrintOptions{Verbose: true, Location: time.FixedZone("MSK", 3*3600)}},
		{"litmus_color", litmus(), trace.PrintOptions{Color: true}},
		{"troubled", troubled(), trace.PrintOptions{}},
		{"interrupted", interrupted, trace.PrintOptions{}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			var got bytes.Buffer
			if err := trace.Print(&got, tt.rec, tt.o); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tt.golden+".txt")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("print (-want +got; -update rewrites):\n%s", diff)
			}
		})
	}
}

// FuzzPrint holds printing to its law: whatever a record holds, what is printed
// can't control a terminal, and nothing in it can begin a line of its own.
func FuzzPrint(f *testing.F) {
	for _, seed := range []string{"plain", "\x1b[31m", "a\nb", "\r\n2. x", "\u202e", "\x9b", "\xff", "\u2028", "👩\u200d💻"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shape := func(s string) (string, int) {
			rec := litmus()
			rec.Goal, rec.Answer = s, "x"+s
			step := &rec.Steps[0]
			step.ToolName, step.Reason, step.Rule = s, s, s
			step.Args, step.Payload, step.Facts = map[string]any{"k" + s: s}, map[string]any{"k" + s: []any{s}}, []string{"f" + s}
			step.Error = tool.Errorf(tool.ExecutionError, s, "%s", s)
			rec.Events = append(rec.Events, trace.Connection("", "", noon, "h"+s, 443, "deny", s, s))
			var b bytes.Buffer
			if err := trace.Print(&b, rec, trace.PrintOptions{}); err != nil {
				t.Fatal(err)
			}
			return b.String(), strings.Count(b.String(), "\n")
		}
		got, lines := shape(s)
		if _, want := shape("x"); lines != want {
			t.Errorf("%q makes %d lines, want %d:\n%s", s, lines, want, got)
		}
		for _, r := range got {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%q prints %U", s, r)
			}
		}
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe") }

func TestPrintReportsWriteErrors(t *testing.T) {
	if err := trace.Print(broken{}, litmus(), trace.PrintOptions{}); err == nil {
		t.Error("no error")
	}
}
