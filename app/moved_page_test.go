package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/recipes"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/tool"
	"errand/host/trace"
)

// movingPage is a program with a recipe that opens youtube.com, waits and takes a step there. A
// page of github.com takes the place of the page while the recipe waits.
func movingPage(t *testing.T, wait, step string) *App {
	t.Helper()
	needsBrowser(t)
	a, home := opened(t, Options{Demo: true}, "XDG_DATA_HOME="+t.TempDir())
	var open tool.Tool
	a.replaceTool = func(x tool.Tool) tool.Tool {
		switch x.Spec().Name {
		case "browser.open":
			open = x
		case "browser.wait":
			return tool.Func(x.Spec(), func(ctx context.Context, _ tool.Call) (tool.Result, error) {
				return open.Call(ctx, tool.Call{Args: map[string]any{"url": "https://github.com/"}})
			})
		}
		return x
	}
	cv := filepath.Join(home, "Documents", "cv.txt")
	text := "schema = 1\nname = \"moving\"\n"
	for _, s := range []string{`open url = "https://youtube.com/"`, "wait " + wait, step} {
		name, args, _ := strings.Cut(s, " ")
		text += "[[step]]\ntool = \"browser." + name + "\"\nargs = { " + strings.ReplaceAll(args, "CV_PATH", cv) + " }\n"
	}
	for file, content := range map[string]string{cv: "mine", filepath.Join(a.Recipes().Dir(), "moving.toml"): text} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Succeed(t, os.WriteFile(file, []byte(content), 0o600))
	}
	return a
}

const (
	waitText = `text = "ready"`
	fillBox  = `fill locator = { css = "input" }, value = "mine"`
)

// proposed is the draft of the recipe.
func proposed(t *testing.T, a *App) runs.Report {
	t.Helper()
	r, err := startRecipe(t, a, &recipes.Run{Ref: "moving"}, runs.Request{})
	if err != nil || r.Draft == nil {
		t.Fatalf("%s, %+v, %v; want a draft", r.Status, r.Error, err)
	}
	return r
}

func previewOf(d *drafts.View, id string) (en, ru string) {
	for _, a := range d.Actions {
		if a.ActionID == id {
			return i18n.English().Text(a.Preview), i18n.ForTag("ru").Text(a.Preview)
		}
	}
	return "", ""
}

// TestApprovalNamesTheSite: the draft names the site that gets something of the user's, and a
// page that has moved elsewhere does not get it, also when the run is resumed.
func TestApprovalNamesTheSite(t *testing.T) {
	for _, tt := range []struct{ name, step, en, ru string }{
		{"a text", fillBox, "Fill css \"input\" on youtube.com, value = mine", " — на сайте youtube.com, "},
		{"a file", `upload locator = { css = "input" }, path = "CV_PATH"`, "cv.txt to youtube.com", " — для сайта youtube.com"},
		{"a form", `submit locator = { css = "input" }`, " on youtube.com", " — на сайте youtube.com"},
		{"a key", `press key = "Enter"`, " on youtube.com", " — на сайте youtube.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := movingPage(t, waitText, tt.step)
			r := proposed(t, a)
			if en, ru := previewOf(r.Draft, "a3"); !strings.Contains(en, tt.en) || !strings.Contains(ru, tt.ru) {
				t.Errorf("the draft says %q, %q", en, ru)
			}
			if got := r.Draft.Actions[2].Site; got != "https://youtube.com" {
				t.Errorf("site %q", got)
			}
			r, err := a.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID})
			must.Succeed(t, err)
			for again := 0; ; again++ {
				if r.Status == trace.Done || r.Error == nil || r.Error.Code != "page_moved" || !strings.Contains(say(r.Error.Message), "for youtube.com, but the page is now at github.com") {
					t.Fatalf("%s, %+v; want page_moved", r.Status, r.Error)
				}
				s, err := a.storage()
				must.Succeed(t, err)
				rec, err := s.Record(t.Context(), r.RunID)
				must.Succeed(t, err)
				if last := rec.Steps[len(rec.Steps)-1]; last.StepID != "a3" || last.Site != "https://youtube.com" || last.Status != trace.Denied {
					t.Errorf("the record has %s, %s on %q", last.StepID, last.Status, last.Site)
				}
				if again == 1 || tt.name != "a text" && !tier.IsLong() { // resuming looks at no kind of step
					return
				}
				if r, err = a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID, Yes: true}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestPlanNamesTheMove: a plan that names the page to which the first one moves goes on there,
// and the draft says so.
func TestPlanNamesTheMove(t *testing.T) {
	a := movingPage(t, `url = "https://github.com/*"`, fillBox)
	r := proposed(t, a)
	if en, _ := previewOf(r.Draft, "a3"); !strings.Contains(en, "on github.com") {
		t.Errorf("the draft says %q", en)
	}
	if r, err := a.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID}); err != nil || r.Status != trace.Done {
		t.Fatalf("%s, %+v, %v", r.Status, r.Error, err)
	}
}

// TestEditOfTheSite: an edit of the opened address is a new site for the steps on the page. The
// earlier approval does not count for it.
func TestEditOfTheSite(t *testing.T) {
	a := movingPage(t, waitText, fillBox)
	r := proposed(t, a)
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID, ApplyLater: true}); err != nil {
		t.Fatal(err)
	}
	d, err := a.Edit(t.Context(), drafts.EditRequest{ID: r.DraftID, Action: "a1", Set: map[string]any{"url": "https://github.com/"}})
	must.Succeed(t, err)
	if en, _ := previewOf(&d, "a3"); !strings.Contains(en, "on github.com") || d.IsReady() || d.Approval != nil {
		t.Errorf("the draft says %q; approved: %v", en, d.Approval)
	}
	r, err = a.Approve(t.Context(), runs.ApproveRequest{ID: r.DraftID})
	if err == nil && r.Error == nil {
		t.Error("the edited draft was approved as it was proposed")
	}
	found := false
	for _, c := range r.Changes {
		found = found || c.ActionID == "a3" && strings.Contains(say(c.Text), "https://github.com")
	}
	if !found {
		t.Errorf("the changes do not name the new site: %+v", r.Changes)
	}
}
