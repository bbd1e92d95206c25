package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/app/i18n"
	"errand/app/mcp"
	"errand/app/runs"
	"errand/app/setting"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// mcpAnswer is an answer of a tool, as a client reads it.
type mcpAnswer struct {
	OK        bool           `json:"ok"`
	Status    string         `json:"status"`
	Payload   any            `json:"payload"`
	Head      string         `json:"payload_head"`
	LeftOut   int            `json:"left_out_bytes"`
	Untrusted []string       `json:"untrusted_from"`
	Repeated  bool           `json:"repeated"`
	Args      map[string]any `json:"args_used"`
	RunID     string         `json:"run_id"`
	StepID    string         `json:"step_id"`
	Answer    string         `json:"answer"`
	Error     struct{ Class, Code, Message, Hint string }
	Draft     struct {
		ID, State, Goal string
		RunID           string `json:"run_id"`
		Approve         string `json:"approve_command"`
	}
	Drafts []struct{ ID, State string }
	Plan   []struct{ Tool, Verdict string }
	Steps  []struct {
		Tool, Status string
		Payload      any
	}

	isError bool
}

// mcpClient is a client of the program in this process, with the protocol's own library.
type mcpClient struct {
	*sdk.ClientSession
	t       testing.TB
	changed chan struct{}
}

// connect connects a client to a program. The session ends with the test.
func connect(t testing.TB, a *App, name string, o ...sdk.ClientOptions) *mcpClient {
	t.Helper()
	c := &mcpClient{t: t, changed: make(chan struct{}, 16)}
	var options sdk.ClientOptions
	if len(o) > 0 {
		options = o[0]
	}
	options.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) { c.changed <- struct{}{} }
	server, err := mcp.New(t.Context(), mcp.Options{Agents: a.External, Text: i18n.English().Text, Version: Version, Log: slog.New(slog.DiscardHandler)})
	must.Succeed(t, err)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- server.ServeStdio(context.Background(), in, out) // ends when the client closes the connection
		_ = out.Close()
	}()
	c.ClientSession, err = sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, &options).
		Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	must.Succeed(t, err)
	t.Cleanup(func() {
		_ = c.Close()
		must.Succeed(t, <-ended)
	})
	return c
}

// ask calls a tool and reads its answer.
func (c *mcpClient) ask(name string, args any) mcpAnswer {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	must.Succeed(c.t, err)
	return readAnswer(c.t, r)
}

func readAnswer(t testing.TB, r *sdk.CallToolResult) mcpAnswer {
	t.Helper()
	a := mcpAnswer{isError: r.IsError}
	text := r.Content[0].(*sdk.TextContent).Text
	must.Succeed(t, json.Unmarshal([]byte(text), &a))
	structured, err := json.Marshal(r.StructuredContent)
	must.Succeed(t, err)
	var x, y any
	must.Succeed(t, json.Unmarshal(structured, &x))
	must.Succeed(t, json.Unmarshal([]byte(text), &y))
	if tool.HashArgs(map[string]any{"": x}) != tool.HashArgs(map[string]any{"": y}) {
		t.Errorf("the structured content is not the text:\n%s\n%s", structured, text)
	}
	return a
}

func ruleFor(verdict, pattern string) string {
	return "[[policy.rules]]\nverdict = \"" + verdict + "\"\norigin = \"mcp\"\ntool = \"" + pattern + "\"\n"
}

// openedWith opens the program with a configuration file.
func openedWith(t *testing.T, config string, env ...string) (*App, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "errand.toml")
	must.Succeed(t, os.WriteFile(file, []byte(config), 0o600))
	var o Options
	o.Config.File = file
	a, home := opened(t, o, env...)
	must.Succeed(t, os.MkdirAll(filepath.Join(home, "Documents"), 0o700))
	return a, home
}

// TestMCPTools checks which tools a client is offered, and how they are described.
func TestMCPTools(t *testing.T) {
	a, _ := openedWith(t, "[mcp.server]\ntools = [\"*\"]\n")
	listed, err := connect(t, a, "tester").ListTools(t.Context(), nil)
	must.Succeed(t, err)
	specs, err := a.Tools(t.Context())
	must.Succeed(t, err)
	offered := map[string]*sdk.Tool{}
	for _, made := range listed.Tools {
		offered[made.Name] = made
		if made.Title == "" || made.Description == "" || made.InputSchema.(map[string]any)["type"] != "object" || strings.Contains(made.Name, ".") {
			t.Errorf("%s: %q, %q, %v", made.Name, made.Title, made.Description, made.InputSchema)
		}
	}
	for _, s := range specs {
		made := offered[strings.ReplaceAll(s.Name, ".", "_")]
		if withheld := s.Boundary || s.SideEffectClass == tool.Auth; withheld != (made == nil) {
			t.Errorf("%s: offered %v, boundary %v, class %s", s.Name, made != nil, s.Boundary, s.SideEffectClass)
		}
		if made == nil {
			continue
		}
		if h := made.Annotations; h.ReadOnlyHint != (s.SideEffectClass == tool.Read) || *h.DestructiveHint != (s.Deletes() || s.MayDestroy) || s.Untrusted && !*h.OpenWorldHint {
			t.Errorf("%s: %+v", s.Name, h)
		}
	}
	if n := len(offered); n < 60 || offered["errand_run"] == nil || offered["desktop_screenshot"] != nil || !*offered["files_delete_file"].Annotations.DestructiveHint {
		t.Errorf("%d tools are offered", n)
	}
}

// TestMCPToolsOfConfiguration checks that only tools of the configuration are offered, can be called
// and can be part of a goal, and that an empty list allows none.
func TestMCPToolsOfConfiguration(t *testing.T) {
	for name, tt := range map[string]struct {
		tools string
		want  []string
	}{
		"none":      {"[]", nil},
		"a pattern": {`["hash.*", "desktop.read_clipboard"]`, []string{"hash_md5", "hash_sha256"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := openedWith(t, "[mcp.server]\ntools = "+tt.tools+"\n[[policy.rules]]\nverdict = \"allow\"\norigin = \"mcp\"\ntool = \"*\"\n")
			c := connect(t, a, "tester")
			listed, err := c.ListTools(t.Context(), nil)
			must.Succeed(t, err)
			var got []string
			for _, made := range listed.Tools {
				if !strings.HasPrefix(made.Name, "errand_") {
					got = append(got, made.Name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("offered %q, want %q", got, tt.want)
			}
			if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "files_list", Arguments: map[string]any{"path": "/"}}); err == nil {
				t.Error("a tool that is not offered was called")
			}
			if r := c.ask("errand_run", map[string]any{"goal": "create folder Trip in documents"}); !r.isError || r.Error.Code != "mcp.not_allowed" || r.Status != "denied" {
				t.Errorf("%s, %+v", r.Status, r.Error)
			}
		})
	}
}

// TestMCPSession calls a tool that reads: the session is one run, and each call a step of it.
func TestMCPSession(t *testing.T) {
	a, _ := openedWith(t, "")
	c := connect(t, a, "tester\u202e\n of things")
	first := c.ask("hash_sha256", map[string]any{"input": "abc"})
	second := c.ask("hash.md5", map[string]any{"input": "abc"}) // by its own name
	if !first.OK || first.Payload.(map[string]any)["hash"] != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" || !second.OK || first.RunID != second.RunID {
		t.Fatalf("%+v\n%+v", first, second)
	}
	if bad := c.ask("hash_sha256", map[string]any{"text": "abc"}); !bad.isError || bad.Error.Code != "invalid_args" || bad.Error.Class != "validation_error" {
		t.Errorf("%+v", bad)
	}
	must.Succeed(t, c.Close())
	rec := endedRun(t, a, first.RunID)
	recorded, err := setting.Read(rec.Setting)
	must.Succeed(t, err)
	if rec.Status != trace.Done || len(rec.Steps) != 3 || rec.Goal != "tester of things" || recorded.Run.Origin != plan.MCP {
		t.Errorf("%s, %d steps, %q, %s", rec.Status, len(rec.Steps), rec.Goal, recorded.Run.Origin)
	}
	if runs, err := a.ListRuns(t.Context(), 0); err != nil || len(runs) != 1 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// endedRun waits for the end of a run.
func endedRun(t *testing.T, a *App, id string) trace.Record {
	t.Helper()
	var rec trace.Record
	poll.Await(t, "the run has ended", func() bool {
		var err error
		rec, err = a.Record(t.Context(), id)
		must.Succeed(t, err)
		return rec.Status != trace.Running
	})
	return rec
}

// TestMCPApproval has a client change something: a draft waits, the user approves it, and the same
// call then has the result, which it has once.
func TestMCPApproval(t *testing.T) {
	a, home := openedWith(t, "")
	c := connect(t, a, "tester")
	path := filepath.Join(home, "Documents", "note.txt")
	call := map[string]any{"path": path, "content": "hello"}
	asked := c.ask("files_create_file", call)
	if !asked.isError || asked.Error.Code != "needs_approval" || asked.Draft.State != "DRAFT" || asked.Draft.Approve != "errand approve "+asked.Draft.ID {
		t.Fatalf("%+v", asked)
	}
	if again := c.ask("files_create_file", call); again.Draft.ID != asked.Draft.ID {
		t.Errorf("the same call made another draft: %s, %s", asked.Draft.ID, again.Draft.ID)
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("the file is there before the approval")
	}
	if list := c.ask("errand_drafts", nil); len(list.Drafts) != 1 || list.Drafts[0].ID != asked.Draft.ID {
		t.Errorf("%+v", list.Drafts)
	}
	if !c.ask("hash_md5", map[string]any{"input": "x"}).OK {
		t.Error("no other call can be made while a draft waits")
	}
	if r := approved(t, a, runs.ApproveRequest{ID: asked.Draft.ID}); r.Status != trace.Done {
		t.Fatalf("%s, %v", r.Status, r.Error)
	}
	for range 2 {
		if done := c.ask("files_create_file", call); !done.OK || !done.Repeated || done.RunID != asked.Draft.RunID {
			t.Errorf("%+v", done)
		}
	}
	if shown := c.ask("errand_show", map[string]any{"draft_id": asked.Draft.ID}); shown.Status != "done" || len(shown.Steps) != 1 || shown.Draft.State != "APPLIED" {
		t.Errorf("%+v", shown)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "hello" {
		t.Errorf("%q, %v", b, err)
	}
	if runs, err := a.ListRuns(t.Context(), 0); err != nil || len(runs) != 2 { // the session and the draft
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// TestMCPRejection: a rejected call says so once, and is a new draft when it is made again.
func TestMCPRejection(t *testing.T) {
	a, home := openedWith(t, "")
	c := connect(t, a, "tester")
	call := map[string]any{"path": filepath.Join(home, "Documents", "Trip")}
	first := c.ask("files_create_folder", call)
	_, err := a.Reject(t.Context(), first.Draft.ID)
	must.Succeed(t, err)
	if told := c.ask("files_create_folder", call); told.Error.Code != "rejected" || told.Status != "denied" || told.Draft.ID != "" {
		t.Errorf("%+v", told)
	}
	if second := c.ask("files_create_folder", call); second.Draft.ID == "" || second.Draft.ID == first.Draft.ID {
		t.Errorf("%+v", second)
	}
}

// TestMCPPolicy checks rules for the origin of external agents: one denies, one allows. An allowed
// write that is made again in the session has its effect once.
func TestMCPPolicy(t *testing.T) {
	a, home := openedWith(t, ruleFor("deny", "files.delete_*")+ruleFor("allow", "files.create_folder"))
	c := connect(t, a, "tester")
	folder := filepath.Join(home, "Documents", "Trip")
	for i := range 2 {
		if made := c.ask("files_create_folder", map[string]any{"path": folder}); !made.OK || made.Repeated != (i > 0) {
			t.Errorf("%+v", made)
		}
	}
	if denied := c.ask("files_delete_folder", map[string]any{"path": folder}); !denied.isError || denied.Status != "denied" || denied.Error.Class != "policy_denied" || denied.Draft.ID != "" {
		t.Errorf("%+v", denied)
	}
	if outside := c.ask("files_list", map[string]any{"path": "/etc"}); !outside.isError || outside.Draft.ID != "" {
		t.Errorf("%+v", outside)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// TestMCPCancelled: a request that the client cancels interrupts its call, and no other one.
func TestMCPCancelled(t *testing.T) {
	a, _ := openedWith(t, "")
	began, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
	a.replaceTool = func(made tool.Tool) tool.Tool {
		if made.Spec().Name != "system.query" {
			return made
		}
		return tool.Func(made.Spec(), func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			began <- struct{}{}
			<-ctx.Done()
			stopped <- struct{}{}
			return tool.Result{}, ctx.Err()
		})
	}
	c := connect(t, a, "tester")
	run := c.ask("hash_md5", map[string]any{"input": "x"}).RunID
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "system_query", Arguments: map[string]any{"target": "time"}})
		ended <- err
	}()
	<-began
	cancel()
	<-stopped
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the request ended with %v", err)
	}
	if after := c.ask("hash_md5", map[string]any{"input": "y"}); !after.OK || after.RunID != run {
		t.Errorf("%+v", after)
	}
	rec, err := a.Record(t.Context(), run)
	must.Succeed(t, err)
	if len(rec.Steps) != 3 || rec.Steps[1].Status != trace.Interrupted {
		t.Errorf("%d steps, %s", len(rec.Steps), rec.Steps[1].Status)
	}
}

// TestMCPSessionsAtOnce: two clients have runs of their own, and none sees the other's result as its own.
func TestMCPSessionsAtOnce(t *testing.T) {
	a, home := openedWith(t, "")
	one, two := connect(t, a, "one"), connect(t, a, "two")
	var answers [2][]mcpAnswer
	done := make(chan struct{})
	for i, c := range []*mcpClient{one, two} {
		go func() {
			defer func() { done <- struct{}{} }()
			for range 10 {
				answers[i] = append(answers[i], c.ask("hash_md5", map[string]any{"input": "abc"}))
			}
		}()
	}
	<-done
	<-done
	ids := map[string]bool{}
	for i := range answers {
		for _, r := range answers[i] {
			if !r.OK || r.RunID != answers[i][0].RunID {
				t.Fatalf("%+v", r)
			}
			ids[r.RunID] = true
		}
	}
	if len(ids) != 2 {
		t.Errorf("%d runs", len(ids))
	}
	call := map[string]any{"path": filepath.Join(home, "Documents", "Trip")}
	if x, y := one.ask("files_create_folder", call), two.ask("files_create_folder", call); x.Draft.ID == y.Draft.ID || x.Draft.ID == "" {
		t.Errorf("%+v, %+v", x.Draft, y.Draft)
	}
}

// TestMCPBadInput: what can't be read is an error of the call, and the session goes on.
func TestMCPBadInput(t *testing.T) {
	a, _ := openedWith(t, "")
	c := connect(t, a, "tester")
	for name, tt := range map[string]struct{ args, code string }{
		"an array":         {`[1]`, "malformed_args"},
		"a name twice":     {`{"input":"a","input":"b"}`, "malformed_args"},
		"half a character": {`{"input":"\ud83d"}`, "malformed_args"},
		"too large":        {`{"input":"` + strings.Repeat("x", 1<<20) + `"}`, "malformed_args"},
		"another type":     {`{"input":7}`, "invalid_args"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "hash_sha256", Arguments: json.RawMessage(tt.args)})
			if err != nil {
				t.Fatal(err)
			}
			if got := readAnswer(t, r); !got.isError || got.Error.Code != tt.code {
				t.Errorf("%+v", got)
			}
		})
	}
	for name, args := range map[string]map[string]any{"no goal": {}, "a number": {"goal": 7}, "more": {"goal": "time", "yes": true}} {
		if r := c.ask("errand_run", args); !r.isError || r.Error.Class != "validation_error" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := c.ask("errand_show", map[string]any{}); r.Error.Code != "invalid_args" {
		t.Errorf("%+v", r)
	}
	if !c.ask("hash_md5", map[string]any{"input": "x"}).OK {
		t.Error("the session did not go on")
	}
}
