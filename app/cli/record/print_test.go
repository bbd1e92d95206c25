package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"errand/app/cli/record"
	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func litmus() trace.Record {
	return trace.Record{
		Run: trace.Run{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3r", Goal: "open youtube and search nvidia", Status: trace.Done,
			StartedAt: noon, DurationMS: 2512, Actions: 1, Answer: message.Verbatim("Opened nvidia - YouTube."),
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
			Reason: message.Verbatim("a person's own goal"), Attempts: 1,
			Args:    map[string]any{"app_name": "chrome", "url": "https://youtube.com/results?search_query=nvidia"},
			Payload: map[string]any{"title": "nvidia - YouTube", "url": "https://www.youtube.com/results?search_query=nvidia", "status": 200.0},
			Facts:   []string{"page_open"},
		}},
		Events: []trace.Event{
			trace.EventOf("", noon.Add(200*time.Millisecond), trace.ConnectionNote{Host: "youtube.com:443", Verdict: "allow", Rule: "list", Reason: message.Verbatim("listed"), Step: "a1"}),
			trace.EventOf("", noon.Add(300*time.Millisecond), trace.ConnectionNote{Host: "www.youtube.com:443", Verdict: "allow", Rule: "list", Reason: message.Verbatim("listed"), Step: "a1"}),
			trace.EventOf("", noon.Add(400*time.Millisecond), trace.ConnectionNote{Host: "www.youtube.com:443", Verdict: "allow", Rule: "list", Reason: message.Verbatim("listed"), Step: "a1"}),
			trace.EventOf("", noon.Add(500*time.Millisecond), trace.ConnectionNote{Host: "192.168.0.1:80", Verdict: "deny", Rule: "floor.private_address", Reason: message.Verbatim("192.168.0.1 is a private address"), Step: "a1"}),
			{Time: noon.Add(50 * time.Millisecond), Kind: "browser", Data: map[string]any{"pid": 4711.0}},
		},
	}
}

// troubled is a run in which every step fails, with much malicious text.
func troubled() trace.Record {
	evil := "Free\x1b[2J\x1b]0;owned\a money\r\n3. bank.transfer · done \u202etxt.exe\u2066 \x9b31m \xff\u200b\U000e0041 👩\u200d💻"
	full := tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.Verbatim("the name example.org could not be resolved")).WithHint(message.Verbatim("is there a network?"))
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
				StepID: "a1", ToolName: "browser.read", Status: trace.Done, DurationMS: 61_000, Attempts: 2, Verdict: "ask", Rule: "rules[2]", Reason: message.Verbatim(evil),
				PolicyFlags: []string{trace.FlagApproved, trace.FlagRetried}, Payload: map[string]any{"title": evil, evil: strings.Repeat("long ", 100), "list": []any{"<a>", 1.0, nil}}, Args: many,
			},
			{
				StepID: "a2", ToolName: "browser.open", Status: trace.Failed, DurationMS: 800, Attempts: 1, Verdict: "allow", Error: full,
				PolicyFlags: []string{trace.FlagAbandoned, trace.FlagUnrecorded}, Payload: evil,
			},
			{
				StepID: "a3", ToolName: "browser.open", Status: trace.Denied, Verdict: "deny", Rule: "floor.private_address", Reason: message.Verbatim("127.0.0.1 is a private address"),
				Error: tool.NewError(tool.PolicyDenied, "denied", message.Verbatim("127.0.0.1 is a private address")).WithHint(message.Verbatim("allow_private can open it")),
			},
			{StepID: "a4", ToolName: "files.delete_folder", Status: trace.Denied, Verdict: "ask", Error: tool.NewError(tool.PolicyDenied, "rejected", message.Verbatim("files.delete_folder was not approved"))},
			{StepID: "a5", ToolName: "files.create_folder", Status: trace.NeedsApproval, Verdict: "ask", Rule: "write"},
			{StepID: "a6", ToolName: "files.create_folder", Status: trace.Skipped, Error: tool.NewError(tool.ExecutionError, "dependency_failed", message.Verbatim("skipped: it depends on a2, which did not succeed"))},
			trace.UnsettledStep(trace.Claim{Effect: tool.Unknown, Step: trace.Step{StepID: "a7", ToolName: "files.create_file", Verdict: "allow"}}),
			trace.UnsettledStep(trace.Claim{Effect: tool.Pending, Step: trace.Step{StepID: "a8", ToolName: "files.create_file", Verdict: "allow"}}),
			{StepID: "a9", ToolName: evil, Status: trace.Status(evil), PolicyFlags: []string{trace.FlagUnredacted}, Artifacts: []tool.Artifact{{Name: evil, MediaType: evil, Path: evil}}},
		},
	}
}

// resumed is a run with three attempts that reached its limit and has a step for the user to
// decide.
func resumed() trace.Record {
	full := tool.NewError(tool.ExecutionError, "disk_full", message.Verbatim("the disk is full"))
	late := tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.Verbatim("it took longer than 30 s")).WithHint(message.Verbatim("a longer timeout can be configured"))
	folder := func(status trace.Status, effect tool.EffectState, at time.Duration, err *tool.Error) trace.Step {
		s := trace.Step{
			StepID: "a1", ToolName: "files.create_folder", Status: status, Effect: effect, EffectKey: "01kjmma2g0dq4v7x8m2c5n9p3u:a1", StartedAt: noon.Add(at),
			DurationMS: 41, Attempts: 1, Verdict: "ask", Rule: "write", PolicyFlags: []string{trace.FlagApproved}, Args: map[string]any{"path": "Reports"}, Error: err,
		}
		if status == trace.Done {
			s.Undo = &tool.Inverse{Tool: "files.delete_folder", Args: map[string]any{"path": "Reports", "if_empty": true}}
		}
		return s
	}
	return trace.Record{
		Run: trace.Run{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3u", Goal: "make a folder Reports and tell ann", Status: trace.Failed, StartedAt: noon, DurationMS: 95_000,
			State: trace.StateError, StopReason: trace.StopMaxFailures, DraftID: "01kjmma2g0dq4v7x8m2c5n9p3u", Error: late,
		},
		Steps: []trace.Step{
			folder(trace.Interrupted, tool.Unknown, 0, tool.NewError(tool.ExecutionError, trace.CodeOutcomeUnknown, message.Verbatim("the program ended before it was known what came of it"))),
			{StepID: "a2", ToolName: "mail.send", Status: trace.Skipped, Error: tool.NewError(tool.ExecutionError, "dependency_failed", message.Verbatim("skipped: it depends on a1, which did not succeed"))},
			folder(trace.Failed, tool.Released, 10*time.Second, full),
			folder(trace.Failed, tool.Released, 20*time.Second, full),
			folder(trace.Done, tool.Committed, 30*time.Second, nil),
			{
				StepID: "a2", ToolName: "mail.send", Status: trace.Failed, Effect: tool.Unknown, EffectKey: "mail:send:7", StartedAt: noon.Add(40 * time.Second), DurationMS: 30_000,
				Attempts: 1, Verdict: "allow", PolicyFlags: []string{trace.FlagAbandoned}, Error: late,
			},
			{StepID: "a3", ToolName: "mail.file", Status: trace.Done, Effect: tool.Committed, Verdict: "allow", PolicyFlags: []string{trace.FlagRepeated}},
			{StepID: "a4", ToolName: "mail.file", Status: trace.Done, Effect: tool.Committed, Verdict: "allow", PolicyFlags: []string{trace.FlagReconciled}},
			{StepID: "a5", ToolName: "mail.file", Status: trace.Failed, Effect: tool.Committed, Attempts: 1, Verdict: "allow", Error: full},
		},
	}
}

func TestPrint(t *testing.T) {
	waiting := trace.Record{
		Run: trace.Run{
			RunID: "01kjmma2g0dq4v7x8m2c5n9p3v", Goal: "make a folder Reports", Status: trace.NeedsApproval, StartedAt: noon, DurationMS: 12,
			State: trace.StateStop, StopReason: trace.StopAwaitingApproval, DraftID: "01kjmma2g0dq4v7x8m2c5n9p3v",
		},
		Steps: []trace.Step{{StepID: "a1", ToolName: "files.create_folder", Status: trace.NeedsApproval, Verdict: "ask", Rule: "write", Args: map[string]any{"path": "Reports"}}},
	}
	interrupted := trace.Record{Run: trace.Run{
		RunID: "01kjmma2g0dq4v7x8m2c5n9p3t", Goal: "what time is it", Status: trace.Interrupted, StartedAt: noon, DurationMS: 12,
		Error: tool.NewError(tool.ExecutionError, "interrupted", message.Verbatim("the program ended before the run did")),
	}}
	tests := []struct {
		golden string
		rec    trace.Record
		o      record.Options
	}{
		{"litmus", litmus(), record.Options{}},
		{"litmus_verbose", litmus(), record.Options{Verbose: true, Location: time.FixedZone("MSK", 3*3600)}},
		{"litmus_color", litmus(), record.Options{Color: true}},
		{"resumed_ru", resumed(), record.Options{Language: i18n.ForTag("ru")}},
		{"troubled", troubled(), record.Options{}},
		{"interrupted", interrupted, record.Options{}},
		{"resumed", resumed(), record.Options{}},
		{"resumed_verbose", resumed(), record.Options{Verbose: true}},
		{"waiting", waiting, record.Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			var got bytes.Buffer
			must.Succeed(t, record.Print(&got, tt.rec, tt.o))
			path := filepath.Join("testdata", tt.golden+".txt")
			if *update {
				must.Succeed(t, os.WriteFile(path, got.Bytes(), 0o644))
			}
			want := must.ReadFile(t, path)
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("print (-want +got; -update rewrites):\n%s", diff)
			}
		})
	}
}

// FuzzPrint checks that no record can control a terminal or begin a line of its own.
func FuzzPrint(f *testing.F) {
	for _, seed := range []string{"plain", "\x1b[31m", "a\nb", "\r\n2. x", "\u202e", "\x9b", "\xff", "\u2028", "👩\u200d💻"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shape := func(s string) (string, int) {
			rec := litmus()
			rec.Goal, rec.Answer = s, message.New("answer.deleted", "path", "x"+s)
			rec.RunID, rec.DraftID, rec.StopReason, rec.Status = s, "d"+s, trace.StopReason("r"+s), trace.NeedsApproval
			step := &rec.Steps[0]
			step.ToolName, step.Reason, step.Rule = s, message.Verbatim(s), s
			step.Args, step.Payload, step.Facts = map[string]any{"k" + s: s}, map[string]any{"k" + s: []any{s}}, []string{"f" + s}
			step.Error = tool.NewError(tool.ExecutionError, s, message.New("run.denied_"+s, "text", s, "names", []string{s}))
			step.StepID, step.Effect, step.Undo = "a"+s, tool.Unknown, &tool.Inverse{Tool: s}
			rec.Steps = append(rec.Steps, *step)
			rec.Events = append(rec.Events, trace.EventOf("", noon, trace.ConnectionNote{Host: "h" + s + ":443", Verdict: "deny", Rule: s, Reason: message.Verbatim(s)}))
			var b bytes.Buffer
			must.Succeed(t, record.Print(&b, rec, record.Options{}))
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

// TestPrintMessage checks that a result that is a message is printed as text, unless verbose.
func TestPrintMessage(t *testing.T) {
	rec := trace.Record{Steps: []trace.Step{{StepID: "a1", ToolName: "system.query", Status: trace.Done, Payload: map[string]any{
		"text": message.New("answer.machine_name", "name", "a\nb").PlainValue(), "other": map[string]any{"msg": "answer.machine_no_battery"},
	}}}}
	for verbose, want := range map[bool]string{
		false: "   result   other: {\"msg\":\"answer.machine_no_battery\"}\n            text: This machine is called a⏎b.\n",
		true:  "            text: {\"msg\":\"answer.machine_name\",\"params\":{\"name\":\"a\\nb\"}}\n",
	} {
		var b strings.Builder
		must.Succeed(t, record.Print(&b, rec, record.Options{Verbose: verbose}))
		if !strings.Contains(b.String(), want) {
			t.Errorf("verbose %v: got\n%s\nwant\n%s", verbose, b.String(), want)
		}
	}
}

// TestPrintLong checks that a long record shows its ends, the failures and the number of omitted
// steps. An excerpt says what it omits.
func TestPrintLong(t *testing.T) {
	long := func(steps int) trace.Record {
		rec := trace.Record{Run: trace.Run{RunID: "01kjmma2g0dq4v7x8m2c5n9p3w", Goal: "sort my photographs", Status: trace.Done, StartedAt: noon}}
		for i := range steps {
			rec.Steps = append(rec.Steps, trace.Step{StepID: fmt.Sprintf("a%d", i+1), ToolName: "files.move", Status: trace.Done, Attempts: 1, Verdict: "allow"})
		}
		return rec
	}
	broke := long(10_000)
	broke.Steps[4999].Status = trace.Failed
	bad := long(10_000)
	for i := range bad.Steps {
		bad.Steps[i].Status = trace.Failed
	}
	excerpt := long(100)
	excerpt.OmittedSteps, excerpt.OmittedEvents = 9_900, 77
	for i := range 300 {
		excerpt.Events = append(excerpt.Events, trace.EventOf("", noon, trace.ConnectionNote{Host: fmt.Sprintf("h%d.example.com:443", i), Verdict: "allow", Rule: "list", Reason: message.Verbatim("")}))
	}
	tests := []struct {
		name   string
		rec    trace.Record
		o      record.Options
		titles int // lines that begin an action
		want   []string
	}{
		{"short", long(160), record.Options{}, 160, nil},
		{"long", long(10_000), record.Options{}, 160, []string{"80. files.move", "… 9840 actions left out, all done: errand show --verbose 01kjmma2g0dq4v7x8m2c5n9p3w", "9921. files.move", "10000 steps"}},
		{"verbose", long(10_000), record.Options{Verbose: true}, 10_000, nil},
		{"one failed", broke, record.Options{}, 161, []string{"… 4919 actions left out", "5000. files.move · failed", "… 4920 actions left out"}},
		{"all failed", bad, record.Options{}, 200, []string{"120. files.move · failed", "… 9800 actions left out: errand show", "9921. files.move"}},
		{"excerpt", excerpt, record.Options{}, 100, []string{
			"10000 steps", "\n50. files.move", "… 9900 steps left out\n", "\n9951. files.move", "\n10000. files.move", "… and 200 more", "77 events left out",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			must.Succeed(t, record.Print(&b, tt.rec, tt.o))
			if got := strings.Count(b.String(), ". files.move"); got != tt.titles {
				t.Errorf("%d actions, want %d", got, tt.titles)
			}
			for _, want := range tt.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%q is not in it", want)
				}
			}
			if left := strings.Count(b.String(), "left out"); tt.want == nil && left > 0 {
				t.Errorf("something is left out: %s", b.String())
			}
		})
	}
}

func TestPrintStopReason(t *testing.T) {
	tests := []struct {
		status trace.Status
		reason trace.StopReason
		want   string
	}{
		{trace.Failed, trace.StopMaxSteps, "limit of steps"},
		{trace.Failed, trace.StopMaxWallTime, "time limit"},
		{trace.Failed, trace.StopNoOpLoop, "was repeated and changed nothing"},
		{trace.Failed, trace.StopPolicyDenied, "policy denied the rest"},
		{trace.Denied, trace.StopPolicyDenied, ""},
		{trace.Failed, trace.StopInterrupted, "it was interrupted"},
		{trace.Interrupted, trace.StopInterrupted, ""},
		{trace.Done, trace.StopCompleted, ""},
		{trace.Failed, trace.StopError, ""},
		{trace.Failed, "of_tomorrow", "of_tomorrow"},
		{trace.Running, "", ""},
	}
	for _, tt := range tests {
		var b strings.Builder
		must.Succeed(t, record.Print(&b, trace.Record{Run: trace.Run{Status: tt.status, StopReason: tt.reason}}, record.Options{}))
		if _, line, found := strings.Cut(b.String(), "   stopped  "); found != (tt.want != "") || !strings.Contains(line, tt.want) {
			t.Errorf("%s, %s: %s", tt.status, tt.reason, b.String())
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe") }

func TestPrintReportsWriteErrors(t *testing.T) {
	if err := record.Print(broken{}, litmus(), record.Options{}); err == nil {
		t.Error("no error")
	}
}
