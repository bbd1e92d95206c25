package app

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"errand/app/recipes"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/trace"
)

const kitchenSink = "testdata/kitchensink"

// TestRecipesOnPagesOfOthers drives pages that were not written for this, those
// of a well-known test suite, by recipes in real Chromium: each recipe ends in
// checks of its own, and here is what it answers.
func TestRecipesOnPagesOfOthers(t *testing.T) {
	needsBrowser(t)
	site := serveKitchenSink(t)
	host := strings.TrimSuffix(strings.TrimPrefix(site, "http://"), "/")
	for _, c := range []struct {
		recipe string
		values map[string]string
		answer []string // lines of it
		code   string   // of the error that stops it
		kept   []string // media types of what the last steps made
		long   bool     // only in the long tier: another recipe shows the same kind of step
	}{
		{recipe: "email", values: map[string]string{"address": "ann@example.org"}, long: true},
		{recipe: "coupon", long: true},
		{recipe: "fruit", long: true},
		{recipe: "boxes"},
		{recipe: "popover", long: true},
		{recipe: "people", answer: []string{"Jane · Lane", "John · Doe"}},
		{recipe: "groceries", values: map[string]string{"most": "2"}, answer: []string{"apples", "oranges"}, long: true},
		{recipe: "menu"},
		{recipe: "todos", values: map[string]string{"two": "Water the \"plants\" & {pots}"}, answer: []string{"Water the \"plants\" & {pots}"}},
		{recipe: "change"},
		{recipe: "evidence", kept: []string{"image/png", "application/pdf"}},
		{recipe: "commands", answer: []string{"Navigation", "Network Requests"}},
		{recipe: "moved", code: runs.CodeRecipeDrift},
	} {
		if c.long && !tier.IsLong() {
			continue
		}
		t.Run(c.recipe, func(t *testing.T) {
			a, _ := opened(t, Options{Allow: []string{"http://" + host}}, "ERRAND_POLICY_ALLOW_PRIVATE="+host)
			values := map[string]string{"site": site}
			for k, v := range c.values {
				values[k] = v
			}
			run := &recipes.Run{Ref: filepath.Join(kitchenSink, "recipes", c.recipe+".toml"), Values: values}
			r, err := startRecipe(t, a, run, runs.Request{Yes: true})
			must.Succeed(t, err)
			if c.code != "" {
				if r.Status != trace.Failed || r.Error == nil || r.Error.Code != c.code {
					t.Errorf("it is %s: %v", r.Status, r.Error)
				}
				return
			}
			if r.Status != trace.Done {
				t.Fatalf("it is %s: %v %v", r.Status, r.Error, r.Steps)
			}
			lines := strings.Split(say(r.Answer), "\n")
			for _, want := range c.answer {
				if !slices.ContainsFunc(lines, func(line string) bool { return line == want || strings.HasSuffix(line, ". "+want) }) {
					t.Errorf("it answers %q, without %q", r.Answer, want)
				}
			}
			var kept []string
			for _, s := range r.Steps[1:] {
				for _, artifact := range s.Artifacts {
					kept = append(kept, artifact.MediaType)
				}
			}
			if !slices.Equal(kept, c.kept) {
				t.Errorf("it made %v, want %v", kept, c.kept)
			}
		})
	}
}

// serveKitchenSink serves the pages as their own server does: an address without
// an ending is that of an HTML file. It answers with the site's first address.
func serveKitchenSink(t *testing.T) string {
	t.Helper()
	app := filepath.Join(kitchenSink, "node_modules", "cypress-example-kitchensink", "app")
	if _, err := os.Stat(app); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; make check installs it", err)
		}
		t.Skipf("%v; make check installs it", err)
	}
	files := http.FileServer(http.Dir(app))
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" && path.Ext(r.URL.Path) == "" {
			http.ServeFile(rw, r, filepath.Join(app, filepath.FromSlash(path.Clean("/"+r.URL.Path)))+".html")
			return
		}
		files.ServeHTTP(rw, r)
	}))
	var err error
	if s.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.Close)
	return s.URL + "/"
}
