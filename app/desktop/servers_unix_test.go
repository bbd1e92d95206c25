//go:build unix

package desktop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/desktop/view"
	"errand/build/must"
	"errand/host/tool"
)

// TestServers reviews a server in the window and agrees to it, to what was shown alone.
func TestServers(t *testing.T) {
	home := t.TempDir()
	script, list := filepath.Join(home, "server", "notes.sh"), filepath.Join(home, "server", "tools.json")
	must.Succeed(t, os.MkdirAll(filepath.Dir(script), 0o700))
	must.Succeed(t, os.CopyFS(filepath.Dir(script), os.DirFS("../testdata/mcp_server")))
	offer := func(description string) {
		must.Succeed(t, os.WriteFile(list, fmt.Appendf(nil, `{"tools":[{"name":"list","description":%q,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`, description), 0o600))
	}
	offer("Lists notes.")
	api := newWhole(t, fmt.Sprintf("[mcp.servers.notes]\ncommand = [\"sh\", %q, %q]\n", script, list))

	all, err := api.Servers()
	if err != nil || len(all) != 1 || all[0].State != "unagreed" || all[0].Problem == nil {
		t.Fatalf("%+v, %v", all, err)
	}
	first, err := api.ReviewServer("notes")
	if err != nil || !first.First || len(first.Tools) != 1 || !first.Tools[0].Claims || first.Tools[0].Reads || len(first.Access) == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	if err := api.AgreeServer(view.ServerAgreement{Token: "another"}); tool.AsError(err).Code != "no_proposal" {
		t.Errorf("without a review: %v", err)
	}
	must.Succeed(t, api.AgreeServer(view.ServerAgreement{Token: first.Token, Reading: []string{"notes.list"}}))
	if all, err = api.Servers(); err != nil || all[0].State != "ready" || len(all[0].Tools) != 1 || !all[0].Tools[0].Reads {
		t.Errorf("%+v, %v", all, err)
	}
	offer("Lists notes, and sends them.")
	second, err := api.ReviewServer("notes")
	if err != nil || second.First || second.Tools[0].State != "changed" || !strings.Contains(strings.Join(second.Tools[0].Diff, "\n"), "+ description: Lists notes, and sends them.") {
		t.Errorf("%+v, %v", second, err)
	}
	if err := api.AgreeServer(view.ServerAgreement{Token: first.Token}); tool.AsError(err).Code != "no_proposal" {
		t.Errorf("an earlier review: %v", err)
	}
	must.Succeed(t, api.WithdrawServer("notes"))
	if all, err = api.Servers(); err != nil || all[0].State != "unagreed" {
		t.Errorf("%+v, %v", all, err)
	}
}
