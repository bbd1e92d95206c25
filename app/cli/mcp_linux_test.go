//go:build linux

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"errand/build/must"
	"errand/build/poll"
)

// mcpProgram is a home with the program.
type mcpProgram struct {
	t    *testing.T
	home string
}

func newMCPProgram(t *testing.T) mcpProgram {
	t.Helper()
	p := mcpProgram{t, t.TempDir()}
	must.ShareKey(t, filepath.Join(p.home, "data", "errand"))
	must.Succeed(t, os.Mkdir(filepath.Join(p.home, "Documents"), 0o700))
	return p
}

func (p mcpProgram) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ERRAND_AS_PROGRAM=1", "HOME="+p.home, "XDG_CACHE_HOME="+cache, "XDG_DATA_HOME="+p.home+"/data", "XDG_CONFIG_HOME="+p.home+"/config")
	return cmd
}

func (p mcpProgram) run(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("errand %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// connect starts the program as a client does.
func (p mcpProgram) connect(name string, flags ...string) (*sdk.ClientSession, *exec.Cmd) {
	p.t.Helper()
	cmd := p.command(append([]string{"mcp"}, flags...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	c, err := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil).Connect(p.t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, &said)
	}
	p.t.Cleanup(func() { _ = c.Close() })
	return c, cmd
}

// mcpResult is what the tests read of an answer.
type mcpResult struct {
	OK       bool
	Repeated bool
	RunID    string `json:"run_id"`
	Error    struct{ Code string }
	Payload  map[string]any
	Draft    struct{ ID string }
}

func callMCP(t *testing.T, c *sdk.ClientSession, name string, args any) mcpResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	must.Succeed(t, err)
	var out mcpResult
	must.Succeed(t, json.Unmarshal([]byte(r.Content[0].(*sdk.TextContent).Text), &out))
	return out
}

// TestMCPOverStdio has two clients start the program. One reads; one changes something, which the user
// approves with the command line.
func TestMCPOverStdio(t *testing.T) {
	p := newMCPProgram(t)
	one, _ := p.connect("one")
	two, process := p.connect("two")
	listed, err := one.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) < 40 || one.InitializeResult().ServerInfo.Name != "errand" || one.InitializeResult().Instructions == "" {
		t.Fatalf("%d tools, %v", len(listed.Tools), err)
	}
	x, y := callMCP(t, one, "hash_md5", map[string]any{"input": "abc"}), callMCP(t, two, "hash_md5", map[string]any{"input": "abc"})
	if !x.OK || !y.OK || x.RunID == y.RunID || x.Payload["hash"] != "900150983cd24fb0d6963f7d28e17f72" {
		t.Fatalf("%+v\n%+v", x, y)
	}
	path := filepath.Join(p.home, "Documents", "note.txt")
	note := map[string]any{"path": path, "content": "hello"}
	asked := callMCP(t, one, "files_create_file", note)
	if asked.OK || asked.Error.Code != "needs_approval" || asked.Draft.ID == "" {
		t.Fatalf("%+v", asked)
	}
	if out := p.run("approve", asked.Draft.ID); !strings.Contains(out, "note.txt") {
		t.Error(out)
	}
	if done := callMCP(t, one, "files_create_file", note); !done.OK || !done.Repeated {
		t.Errorf("%+v", done)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "hello" {
		t.Errorf("%q, %v", b, err)
	}
	must.Succeed(t, one.Close())
	must.Succeed(t, process.Process.Signal(syscall.SIGTERM))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = two.Wait()
		_ = two.Close()
	}()
	poll.Await(t, "the program ends with SIGTERM", func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if out := p.run("runs"); strings.Count(out, "done") != 3 || strings.Contains(out, "running") {
		t.Errorf("the record after the sessions:\n%s", out)
	}
}

// mcpToken sends a token with each request.
type mcpToken string

func (token mcpToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+string(token))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestMCPOverHTTP serves a client at the local server: only with a token of the scope mcp, and not for
// another site.
func TestMCPOverHTTP(t *testing.T) {
	p := newMCPProgram(t)
	token := func(name, scope string) mcpToken {
		var made struct{ Token string }
		must.Succeed(t, json.Unmarshal([]byte(p.run("serve", "token", "add", name, "--scopes", scope, "--json")), &made))
		return mcpToken(made.Token)
	}
	agent, ci := token("agent", "mcp"), token("ci", "run")
	cmd := p.command("serve", "--mcp", "--json")
	stdout, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	cmd.Env = append(cmd.Env, "ERRAND_TEST_PAGE=yes")
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var at struct{ MCP string }
	must.Succeed(t, json.NewDecoder(stdout).Decode(&at))
	if !strings.HasSuffix(at.MCP, "/mcp") {
		t.Fatalf("address %q", at.MCP)
	}
	open := func(token mcpToken) (*sdk.ClientSession, error) {
		return sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: at.MCP, HTTPClient: &http.Client{Transport: token}}, nil)
	}
	for _, wrong := range []mcpToken{"", "errand_wrong", ci} {
		if _, err := open(wrong); err == nil {
			t.Error("a client without a token of the scope mcp was served")
		}
	}
	c, err := open(agent)
	must.Succeed(t, err)
	if r := callMCP(t, c, "hash_md5", map[string]any{"input": "abc"}); !r.OK {
		t.Errorf("%+v", r)
	}
	if r := callMCP(t, c, "files_create_folder", map[string]any{"path": filepath.Join(p.home, "Documents", "Trip")}); r.Draft.ID == "" {
		t.Errorf("%+v", r)
	}
	for header, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "Host": "evil.example"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.MCP, strings.NewReader("{}"))
		must.Succeed(t, err)
		r.Header.Set(header, value)
		if header == "Host" {
			r.Host = value
		}
		answer, err := agent.RoundTrip(r)
		must.Succeed(t, err)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s is answered with %d", header, value, answer.StatusCode)
		}
	}
	must.Succeed(t, c.Close())
	must.Succeed(t, cmd.Process.Signal(syscall.SIGINT))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
		t.Fatal("the server did not end")
	}
	if out := p.run("runs"); !strings.Contains(out, "tester") || strings.Contains(out, "running") {
		t.Error(out)
	}
}

// TestMCPBrowser: the page that a client opens stays open for its next calls. A draft can't act on it.
func TestMCPBrowser(t *testing.T) {
	p := newMCPProgram(t)
	c, _ := p.connect("tester", "--demo")
	opened := callMCPText(t, c, "browser_open", map[string]any{"url": "https://github.com/"})
	read := callMCPText(t, c, "browser_read_text", nil)
	if !opened.OK || !read.OK || opened.RunID != read.RunID {
		t.Fatalf("%+v\n%+v", opened, read)
	}
	for name, tt := range map[string]struct {
		tool string
		args map[string]any
		code string
	}{
		"a change of the page":      {"browser_press", map[string]any{"key": "Enter"}, "needs_open_page"},
		"a host that is not listed": {"browser_open", map[string]any{"url": "https://example.org/"}, "host_not_allowed"},
		"a private address":         {"browser_open", map[string]any{"url": "http://127.0.0.1:1/"}, "floor.private_address"},
	} {
		if r := callMCPText(t, c, tt.tool, tt.args); r.OK || r.Error.Code != tt.code || r.Draft.ID != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// callMCPText is [callMCP] for payloads of others, which are marked text.
func callMCPText(t *testing.T, c *sdk.ClientSession, name string, args any) mcpTextResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	must.Succeed(t, err)
	var out mcpTextResult
	must.Succeed(t, json.Unmarshal([]byte(r.Content[0].(*sdk.TextContent).Text), &out))
	return out
}

// mcpTextResult is an answer with marked text.
type mcpTextResult struct {
	OK      bool
	RunID   string `json:"run_id"`
	Payload string
	Error   struct{ Code string }
	Draft   struct{ ID string }
}
