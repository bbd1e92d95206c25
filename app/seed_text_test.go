package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/history"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// TestSeedTexts are the acceptance lines about what is written down and told.
func TestSeedTexts(t *testing.T) {
	answering := func(a *App, payload map[string]any) {
		a.replaceTool = func(in tool.Tool) tool.Tool {
			if in.Spec().Name != "system.query" {
				return in
			}
			return tool.Func(in.Spec(), func(context.Context, tool.Call) (tool.Result, error) { return tool.OK(payload), nil })
		}
	}

	t.Run("S3-T12 a key in a tool's output is told nowhere", func(t *testing.T) {
		const key = "sk-FAKEfake0123FAKEfake0123FAKEfake0123"
		a, home := opened(t, Options{})
		answering(a, map[string]any{"time": "api_key=" + key, "lines": []any{"api_key=" + key}})
		var heard []byte
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it", Progress: func(p runs.Progress) {
			b, err := json.Marshal(p)
			if err != nil {
				t.Error(err)
			}
			heard = append(heard, b...)
		}})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
		}
		response := must.JSON(t, r)
		shown, err := a.ShowRun(t.Context(), r.RunID)
		must.Succeed(t, err)
		window := must.JSON(t, shown)
		if !bytes.Contains(window, []byte("[redacted:")) {
			t.Errorf("no tag in the record: %s", window)
		}
		for name, b := range map[string][]byte{"response": response, "window": window, "progress": heard, "answer": must.JSON(t, r.Answer)} {
			if bytes.Contains(b, []byte(key)) {
				t.Errorf("the %s holds the key: %s", name, b)
			}
		}
		must.Succeed(t, a.Close())
		err = filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			if bytes.Contains(b, []byte(key)) {
				t.Errorf("%s holds the key", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})

	t.Run("S2-H25 what is exported for a log has hashes and no person's data", func(t *testing.T) {
		a, _ := opened(t, Options{})
		answering(a, map[string]any{"time": "Ann Smith, ann@example.org"})
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it"})
		if err != nil || r.Status != trace.Done {
			t.Fatalf("status %s, %v, %v", r.Status, r.Error, err)
		}
		log, err := a.Export(t.Context(), r.RunID, history.FormatOTLP)
		must.Succeed(t, err)
		rec, err := a.Record(t.Context(), r.RunID)
		if err != nil || len(rec.Steps) != 1 {
			t.Fatalf("record %+v, %v", rec, err)
		}
		hash := tool.HashArgs(rec.Steps[0].Args)
		if hash == "" || !bytes.Contains(log, []byte(hash)) || bytes.Contains(log, []byte("Ann")) || bytes.Contains(log, []byte("ann@")) {
			t.Errorf("hash %q, log %s", hash, log)
		}
	})

	t.Run("S1-H37 a hash of ten megabytes", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		a, _ := opened(t, Options{})
		set, err := a.toolSet(t.Context())
		must.Succeed(t, err)
		hash, ok := set.Get("hash.sha256")
		if !ok {
			t.Fatal("no hash.sha256")
		}
		r, err := hash.Call(t.Context(), tool.Call{Tool: "hash.sha256", Args: map[string]any{"input": strings.Repeat("x", 10<<20)}})
		t.Logf("ok %t, error %v", r.OK, r.Error)
		switch {
		case err != nil:
			t.Errorf("untyped: %v", err)
		case r.OK && !strings.Contains(string(must.JSON(t, r.Payload)), "462a12a876c0364e4f1f3d12ed33dcae125f1198010ff78d8f4c3f4de0412d49"):
			t.Errorf("payload %v", r.Payload)
		case !r.OK && (r.Error.Code == "" || r.Error.Class == ""):
			t.Errorf("error %+v", r.Error)
		}
	})
}

// TestSeedOffline: no key, no network.
func TestSeedOffline(t *testing.T) {
	resolver, transport := net.DefaultResolver, http.DefaultTransport
	t.Cleanup(func() { net.DefaultResolver, http.DefaultTransport = resolver, transport })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		t.Error("a name was looked up")
		return nil, net.ErrClosed
	}}
	http.DefaultTransport = &http.Transport{Proxy: func(r *http.Request) (*url.URL, error) {
		t.Errorf("asked for %s", r.URL)
		return nil, net.ErrClosed
	}}
	t.Run("X-10 goals are understood and planned by rules alone", func(t *testing.T) {
		a, _ := opened(t, Options{})
		for text, want := range map[string]string{
			"open youtube and search nvidia": "system.apps.launch.shell", "open github": "system.apps.launch.shell",
			"create folder Reports in documents": "files.create_folder", "delete file notes.txt in documents": "files.delete_file",
			"what time is it": "system.query", "открой ютуб и найди nvidia": "system.apps.launch.shell",
		} {
			planned, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: text})
			if err != nil || planned.Result == nil || planned.Result.Status() != plan.Success {
				t.Errorf("%s: %+v, %v", text, planned.Result, err)
				continue
			}
			if p, _ := planned.Result.Plan(); p.Actions()[0].Tool != want {
				t.Errorf("%s: by %s, want %s", text, p.Actions()[0].Tool, want)
			}
		}
		for _, text := range []string{"what time is it", "create folder Reports in documents"} {
			if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: text}); err != nil || r.Status != trace.Done {
				t.Errorf("%s: %s, %v, %v", text, r.Status, r.Error, err)
			}
		}
	})
}
