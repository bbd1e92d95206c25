package app

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/history"
	"errand/app/recipes"
	"errand/app/recipes/recipe"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
)

// loginSite is a page with fields for secrets, whose form puts all of them into
// the address (GET), and a page that says back what it was told.
type loginSite struct {
	*httptest.Server
	mu   sync.Mutex
	sent []url.Values
}

func serveLogin(t *testing.T) *loginSite {
	s := &loginSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/in" {
			fmt.Fprint(w, `<title>Log in</title><form action="/in">
				<label>User <input name="user"></label><label>Password <input type="password" name="password"></label>
				<label>The magic word <input type="password" name="word"></label>
				<label>What the app shows <input name="code" autocomplete="one-time-code"></label>
				<label>Remark <input name="remark"></label><label>Month <select name="month"><option value="">-<option value="march-03">March</select></label>
				<button>Sign in</button></form>`)
			return
		}
		s.mu.Lock()
		s.sent = append(s.sent, r.URL.Query())
		s.mu.Unlock()
		fmt.Fprint(w, `<title>in</title><ul>`)
		for key, v := range r.URL.Query() {
			b, _ := json.Marshal(v[0])
			fmt.Fprintf(w, `<li>%s is <a href="/in?again=%s">%s</a> or %s or %s</li><input aria-label="told %s" value="%s">`,
				key, url.QueryEscape(v[0]), html.EscapeString(v[0]), html.EscapeString(string(b)), base64.StdEncoding.EncodeToString([]byte(v[0])), key, html.EscapeString(v[0]))
		}
		fmt.Fprint(w, `</ul>`)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *loginSite) host() string { return strings.TrimPrefix(s.URL, "http://") }

// loginRecipe types into the named field what the parameter holds and sends it.
func loginRecipe(t *testing.T, dir, params, steps string) string {
	t.Helper()
	file := filepath.Join(dir, "login.toml")
	text := "schema = 1\nname = \"login\"\ndescription = \"Log in\"\n[params.site]\ntype = \"url\"\n" + params +
		"\n[[step]]\ntool = \"system.apps.launch.shell\"\nargs = { app_name = \"chrome\", url = \"{site}\" }\n" + steps + `
[[step]]
tool = "browser.click"
args = { locator = { role = "button", name = "Sign in" } }
[[step]]
tool = "browser.read_text"
[[step]]
tool = "browser.snapshot"
[[step]]
tool = "browser.links"
[[step]]
tool = "browser.extract"
args = { rows = { css = "li" }, fields = { word = { css = "a" }, to = { css = "a", attr = "href" } } }
[[step]]
tool = "browser.find"
args = { text = "is" }
[[step]]
tool = "browser.screenshot"
[[step]]
tool = "browser.assert"
args = { locator = { label = "told remark" }, value = "somebody else", timeout_ms = 0 }
`
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func fillStep(label, value string) string {
	return fmt.Sprintf("[[step]]\ntool = \"browser.fill\"\nargs = { locator = { label = %q }, value = %q }\n", label, value)
}

// spelled are the ways in which a secret may stand in a file.
func spelled(secret string) [][]byte {
	quoted, _ := json.Marshal(secret)
	twice, _ := json.Marshal(string(quoted))
	all := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), html.EscapeString(secret),
		base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
		strings.Trim(string(quoted), `"`), strings.Trim(string(twice), `"\`), tool.HashArgs(map[string]any{"value": secret}),
	}
	out := make([][]byte, len(all))
	for i, s := range all {
		out[i] = []byte(s)
	}
	return out
}

// nowhereTold fails where one of the secrets stands in what was shown or in a file of
// a folder.
func nowhereTold(t *testing.T, dir string, shown map[string][]byte, secrets ...string) {
	t.Helper()
	must.Succeed(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		shown[path], err = os.ReadFile(path)
		return err
	}))
	for where, b := range shown {
		for _, secret := range secrets {
			for _, s := range spelled(secret) {
				if i := bytes.Index(b, s); i >= 0 {
					t.Errorf("%s holds %q: …%q…", where, s, b[max(0, i-120):min(len(b), i+len(s)+40)])
				}
			}
		}
	}
}

// TestSecretsAreNotKept types secrets into a page that sends them by its address
// and says them back, and looks for them in all that is told and kept.
func TestSecretsAreNotKept(t *testing.T) {
	needsBrowser(t)
	const secret, code = `h0rse "battery" & <staple>/+ü`, "482913"
	for _, c := range []struct {
		name, params, steps string
		values              map[string]string
		secrets             []string
		off                 bool // redaction of what looks like a secret is switched off
	}{
		{
			name: "declared", params: "[params.password]\ntype = \"secret\"\n",
			steps: fillStep("User", "ann") + fillStep("Remark", "{password}"), values: map[string]string{"password": secret}, secrets: []string{secret},
		},
		{
			name: "declared, without redaction", params: "[params.password]\ntype = \"secret\"\n", off: true,
			steps: fillStep("User", "ann") + fillStep("Remark", "{password}"), values: map[string]string{"password": secret}, secrets: []string{secret},
		},
		{
			name: "declared, of a list", params: "[params.month]\ntype = \"secret\"\n", values: map[string]string{"month": "march-03"}, secrets: []string{"march-03"},
			steps: "[[step]]\ntool = \"browser.select\"\nargs = { locator = { label = \"Month\" }, values = [\"{month}\"] }\n",
		},
		{
			name: "into a field that is called a password", params: "[params.word]\n",
			steps: fillStep("Password", "{word}"), values: map[string]string{"word": secret}, secrets: []string{secret},
		},
		{
			name: "into fields that the page alone hides", params: "[params.word]\n[params.shown]\n",
			steps:  fillStep("The magic word", "{word}") + fillStep("What the app shows", "{shown}"),
			values: map[string]string{"word": secret, "shown": code}, secrets: []string{secret, code},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := serveLogin(t)
			env := []string{"ERRAND_POLICY_ALLOW_PRIVATE=" + site.host()}
			if c.off {
				env = append(env, "ERRAND_POLICY_REDACTION=false")
			}
			a, home := opened(t, Options{Allow: []string{site.URL}}, env...)
			c.values["site"] = site.URL + "/"
			shown := map[string][]byte{}
			var events []json.RawMessage
			report, err := startRecipe(t, a, &recipes.Run{Ref: loginRecipe(t, t.TempDir(), c.params, c.steps), Values: c.values}, runs.Request{
				Yes: true,
				Progress: func(p runs.Progress) {
					if b, err := json.Marshal(p); err == nil && !(strings.HasPrefix(c.name, "into fields") && beforeSecretsAreKnown(p.Event)) {
						events = append(events, b)
					}
				},
			})
			must.Succeed(t, err)
			if report.Status != trace.Failed || report.Error == nil || report.Error.Code != "assertion_failed" { // which quotes what it found
				t.Fatalf("it is %s: %v %+v", report.Status, report.Error, report.Steps)
			}
			for _, s := range c.secrets {
				typed := slices.ContainsFunc(site.sent, func(v url.Values) bool {
					return slices.ContainsFunc([]string{"password", "word", "code", "remark", "month"}, func(key string) bool { return v.Get(key) == s })
				})
				if !typed {
					t.Errorf("the page was not sent %q: %v", s, site.sent)
				}
			}
			shown["the events"] = bytes.Join(rawBytes(events), []byte("\n"))
			shown["the report"] = must.JSON(t, report)
			rec, err := a.Record(t.Context(), report.RunID)
			must.Succeed(t, err)
			shown["the record"] = must.JSON(t, rec)
			for _, format := range []string{history.FormatBundle, history.FormatOTLP} {
				if shown[format], err = a.Export(t.Context(), report.RunID, format); err != nil {
					t.Fatal(err)
				}
			}
			listed, err := a.ListDrafts(t.Context(), true)
			must.Succeed(t, err)
			shown["the drafts"] = must.JSON(t, listed)
			if replayed, err := a.Replay(t.Context(), report.RunID); err != nil || !replayed.IsSame {
				t.Errorf("replayed: %v %+v", err, replayed.Difference)
			}
			nowhereTold(t, home, shown, c.secrets...)
			must.Succeed(t, a.Close())
			nowhereTold(t, home, map[string][]byte{}, c.secrets...)
		})
	}
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, b := range list {
		out[i] = b
	}
	return out
}

// TestSecretIsGone: what waits for a yes goes on where the secret is known, and
// nowhere else; what stands for it is never typed in its place.
func TestSecretIsGone(t *testing.T) {
	needsBrowser(t)
	site := serveLogin(t)
	env := []string{"ERRAND_POLICY_ALLOW_PRIVATE=" + site.host()}
	a, home := opened(t, Options{Allow: []string{site.URL}}, env...)
	file := loginRecipe(t, t.TempDir(), "[params.password]\ntype = \"secret\"\n", fillStep("Password", "{password}"))
	run := &recipes.Run{Ref: file, Values: map[string]string{"site": site.URL + "/", "password": "tr0ub4dor"}}
	report, err := startRecipe(t, a, run, runs.Request{})
	if err != nil || report.Status != trace.NeedsApproval {
		t.Fatalf("%s: %v %v", report.Status, report.Error, err)
	}
	nowhereTold(t, home, map[string][]byte{"report": must.JSON(t, report)}, "tr0ub4dor")

	other, err := Open(Options{Allow: []string{site.URL}, Config: config.Options{Env: append(env, "HOME="+home, "XDG_CACHE_HOME="+cache)}})
	must.Succeed(t, err)
	defer other.Close()
	if d, err := other.ShowDraft(t.Context(), report.DraftID); err != nil || !d.Withheld {
		t.Errorf("elsewhere the draft is %+v, %v", d, err)
	}
	if _, err := other.Approve(t.Context(), runs.ApproveRequest{ID: report.DraftID}); tool.AsError(err).Code != drafts.CodeDraftWithheld {
		t.Errorf("approved elsewhere: %v", err)
	}
	if _, err := other.Resume(t.Context(), runs.ResumeRequest{ID: report.RunID, Yes: true}); tool.AsError(err).Code != drafts.CodeDraftWithheld {
		t.Errorf("resumed elsewhere: %v", err)
	}
	if len(site.sent) > 0 {
		t.Fatalf("the page was sent %v", site.sent)
	}
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: report.DraftID}); err != nil {
		t.Fatal(err)
	}
	if len(site.sent) != 1 || site.sent[0].Get("password") != "tr0ub4dor" {
		t.Errorf("the page was sent %v", site.sent)
	}
	if _, err := other.Resume(t.Context(), runs.ResumeRequest{ID: report.RunID, Yes: true}); tool.AsError(err).Code != tool.CodeSecretGone {
		t.Errorf("gone on with elsewhere: %v", err)
	}
	if len(site.sent) != 1 {
		t.Errorf("the page was sent %v", site.sent)
	}
	nowhereTold(t, home, map[string][]byte{}, "tr0ub4dor")
}

// TestARunWithASecretIsSaved: of a run that typed a secret, declared or found out,
// a recipe is made that asks for it, and that recipe runs.
func TestARunWithASecretIsSaved(t *testing.T) {
	needsBrowser(t)
	for name, c := range map[string]struct{ params, steps, secret string }{
		"declared":  {"[params.word]\ntype = \"secret\"\n", fillStep("Remark", "{word}"), "word"},
		"found out": {"[params.word]\ndescription = \"of the day\"\n", fillStep("The magic word", "{word}"), "word"},
		"in clear":  {"", fillStep("The magic word", "tr0ub4dor"), "the_magic_word"},
		"by name":   {"", fillStep("Password", "tr0ub4dor"), "password"},
	} {
		t.Run(name, func(t *testing.T) {
			site := serveLogin(t)
			a, home := opened(t, Options{Allow: []string{site.URL}}, "ERRAND_POLICY_ALLOW_PRIVATE="+site.host())
			file := loginRecipe(t, t.TempDir(), c.params, c.steps)
			b := must.ReadFile(t, file)
			text := string(b[:bytes.LastIndex(b, []byte("[[step]]"))]) // the last step fails
			must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
			values := map[string]string{"site": site.URL + "/"}
			if c.params != "" {
				values["word"] = "tr0ub4dor"
			}
			report, err := startRecipe(t, a, &recipes.Run{Ref: file, Values: values}, runs.Request{Yes: true})
			if err != nil || report.Status != trace.Done {
				t.Fatalf("%s: %v %v", report.Status, report.Error, err)
			}
			r, kept, err := a.Recipes().Save(t.Context(), report.RunID, "in", false, say)
			must.Succeed(t, err)
			nowhereTold(t, home, map[string][]byte{"the recipe": must.JSON(t, r)}, "tr0ub4dor")
			i := slices.IndexFunc(r.Params, func(p recipe.Param) bool { return p.Name == c.secret })
			if i < 0 || r.Params[i].Type != recipe.Secret || r.Params[i].Default != nil {
				t.Fatalf("parameters %+v", r.Params)
			}
			if at := slices.IndexFunc(r.Params, func(p recipe.Param) bool { return p.Name == "site" }); at < 0 || r.Params[at].Type != recipe.URL || r.Params[at].Default != nil {
				t.Errorf("what the recipe asked for is %+v", r.Params)
			}
			if r.Description != "Log in" || name == "found out" && r.Params[i].Description != "of the day" {
				t.Errorf("the recipe's words are %q, %+v", r.Description, r.Params[i])
			}
			if _, err := a.Recipes().Check(t.Context(), kept); err != nil {
				t.Error(err)
			}
			again, err := startRecipe(t, a, &recipes.Run{Ref: "in", Values: map[string]string{"site": site.URL + "/", c.secret: "an0ther"}}, runs.Request{Yes: true})
			if err != nil || again.Status != trace.Done {
				t.Fatalf("again: %s %v %v", again.Status, again.Error, err)
			}
			last := site.sent[len(site.sent)-1]
			if last.Get("remark") != "an0ther" && last.Get("word") != "an0ther" && last.Get("password") != "an0ther" {
				t.Errorf("the page was sent %v", last)
			}
			nowhereTold(t, home, map[string][]byte{}, "an0ther")
		})
	}
}

// beforeSecretsAreKnown reports whether an event comes before a page has said which
// values are secrets.
func beforeSecretsAreKnown(e runs.Event) bool {
	switch e.(type) {
	case runs.PlanEvent, runs.DecisionEvent, runs.DraftEvent:
		return true
	}
	return false
}
