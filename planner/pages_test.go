package planner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/planner/plan"
)

// pageTools are tools for pages as a browser declares them.
var pageTools = []plan.Capability{
	{Name: "browser.results", CanAchieve: []string{plan.ListResults}, Requires: []string{plan.PageOpen}, Params: []string{"max"}, ReadOnly: true},
	{Name: "browser.links", CanAchieve: []string{plan.ListLinks}, Requires: []string{plan.PageOpen}, Params: []string{"filter", "max"}, ReadOnly: true},
	{Name: "browser.read_text", CanAchieve: []string{plan.ReadPage}, Requires: []string{plan.PageOpen}, Params: []string{"locator"}, ReadOnly: true},
	{Name: "browser.screenshot", CanAchieve: []string{plan.ScreenshotPage, plan.ScreenshotFullPage}, Requires: []string{plan.PageOpen}, Params: []string{"full", "locator"}, ReadOnly: true},
	{Name: "browser.pdf", CanAchieve: []string{plan.SavePDF}, Requires: []string{plan.PageOpen}, Params: []string{}, ReadOnly: true},
	{Name: "browser.download", CanAchieve: []string{plan.DownloadFile}, Requires: []string{plan.PageOpen}, Params: []string{"url", "file", "path"}, RiskLevel: plan.Medium},
	{Name: "system.open_external", CanAchieve: []string{plan.OpenExternal}, Params: []string{"url"}},
	{Name: "files.keep", CanAchieve: []string{saveCopy}, Params: []string{"from", "path"}, RiskLevel: plan.Medium},
}

// of is a goal for an action on the page of another one.
func of(g plan.Goal, action, object string) plan.Goal {
	g.Action, g.ObjectType = action, object
	return g
}

// TestNamesOfWhatIsKept names files for a folder that was named.
func TestNamesOfWhatIsKept(t *testing.T) {
	url := func(s string) plan.Goal { return plan.Goal{GoalType: plan.BrowserNavigate, Target: s} }
	long := search("youtube", strings.Repeat("кот ", 100))
	for _, c := range []struct {
		goal           plan.Goal
		action, object string
		want           string
	}{
		{url("https://www.example.com/"), "save", "pdf", "example.com.pdf"},
		{url("https://example.com/docs/intro.html?x=1"), "screenshot", "page", "example.com-docs-intro.html.png"},
		{search("youtube", "nvidia & ../amd"), "screenshot", "full_page", "youtube.com-nvidia-amd.png"},
		{long, "save", "pdf", "youtube.com-" + strings.Repeat("кот-", 12) + "ко.pdf"},
		{url("https://example.com/a/b.tar.gz?token=1"), "download", "file", "b.tar.gz"},
		{url("https://example.com/"), "download", "file", ""},
	} {
		g := of(c.goal, c.action, c.object)
		g.SaveTo = "/home/ann/Documents/"
		a := &agenda{planner: planner}
		if m, _ := a.readGoal(g); m.path != g.SaveTo+c.want || !m.refusal.IsZero() {
			t.Errorf("%+v: %q (%s), want %q", g, m.path, m.refusal, c.want)
		}
	}
}

func TestPageGoals(t *testing.T) {
	github, pages := visit("github"), append(pageTools[:len(pageTools):len(pageTools)], allTools...)
	first5 := of(search("youtube", "nvidia"), "list", "results")
	first5.Limit = 5
	kept := of(github, "save", "pdf")
	kept.SaveTo = "/home/ann/Documents/github.pdf"
	file := plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/files/report.pdf"}
	named := plan.Goal{GoalType: plan.BrowserNavigate, Target: "https://example.com/investors", Query: "report.pdf"}
	downloaded := of(file, "download", "file")
	downloaded.SaveTo = "/home/ann/Downloads/"
	const (
		openGithub  = "a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded"
		openYoutube = "a1 system.apps.launch.shell{app_name=chrome url=https://youtube.com/results?search_query=nvidia} youtube_search_visible"
	)
	for _, c := range []struct {
		name  string
		goals []plan.Goal
		world plan.World
		tools []plan.Capability
		want  []string
	}{
		{"a picture", []plan.Goal{of(github, "screenshot", "page")}, plan.World{}, pages, []string{openGithub, "a2 browser.screenshot{} screenshot_taken a1"}},
		{"a picture of all of it", []plan.Goal{of(github, "screenshot", "full_page")}, plan.World{}, pages, []string{openGithub, "a2 browser.screenshot{full=true} screenshot_taken a1"}},
		{"the first results", []plan.Goal{first5}, plan.World{}, pages, []string{openYoutube, "a2 browser.results{max=5} results_listed a1"}},
		{"the words", []plan.Goal{of(github, "read", "page")}, plan.World{}, pages, []string{openGithub, "a2 browser.read_text{} page_read a1"}},
		{"the links", []plan.Goal{of(github, "list", "links")}, plan.World{}, pages, []string{openGithub, "a2 browser.links{} links_listed a1"}},
		{"the page is in sight", []plan.Goal{of(github, "read", "page")}, plan.World{BrowserRunning: true, BrowserLastURL: "https://github.com"}, pages, []string{"a1 browser.read_text{} page_read"}},
		{"a copy of a document", []plan.Goal{kept}, plan.World{}, pages, []string{openGithub, "a2 browser.pdf{} pdf_saved a1", "a3 files.keep{from=a2 path=/home/ann/Documents/github.pdf} copy_saved a2"}},
		{"a file by its address", []plan.Goal{of(file, "download", "file")}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://example.com/} url_loaded", "a2 browser.download{url=https://example.com/files/report.pdf} file_downloaded a1",
		}},
		{"a file by its name", []plan.Goal{of(named, "download", "file")}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://example.com/investors} url_loaded", "a2 browser.download{file=report.pdf} file_downloaded a1",
		}},
		{"a file and where to", []plan.Goal{downloaded}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://example.com/} url_loaded",
			"a2 browser.download{path=/home/ann/Downloads/report.pdf url=https://example.com/files/report.pdf} file_downloaded a1",
		}},
		{"the person's own browser", []plan.Goal{of(github, "open", "external")}, plan.World{}, pages, []string{"a1 system.open_external{url=https://github.com/} opened_externally"}},
		{"two things of one page", []plan.Goal{of(github, "read", "page"), of(github, "screenshot", "page")}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded", "a2 browser.read_text{} page_read a1", "a3 browser.screenshot{} screenshot_taken a1",
		}},
		{"one thing of two pages", []plan.Goal{of(github, "read", "page"), of(visit("gmail"), "read", "page")}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded", "a2 browser.read_text{} page_read a1",
			"a3 system.apps.launch.shell{app_name=chrome url=https://gmail.com/} url_loaded a2", "a4 browser.read_text{} page_read a3",
		}},
		{"another page beside it", []plan.Goal{visit("gmail"), of(github, "read", "page")}, plan.World{}, pages, []string{
			"a1 system.apps.launch.shell{app_name=chrome url=https://gmail.com/} url_loaded",
			"a2 system.apps.launch.shell{app_name=chrome url=https://github.com/} url_loaded a1", "a3 browser.read_text{} page_read a2",
		}},
		{"another page after it", []plan.Goal{of(github, "read", "page"), visit("gmail")}, plan.World{}, pages, []string{
			openGithub, "a2 browser.read_text{} page_read a1",
			"a3 system.apps.launch.shell{app_name=chrome url=https://gmail.com/} url_loaded a2",
		}},
		{"no tool for it", []plan.Goal{of(github, "read", "page")}, plan.World{}, allTools, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(c.goals...)
			r.World, r.Capabilities = c.world, c.tools
			got := planFor(t, r)
			if diff := cmp.Diff(c.want, brief(got)); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, got.Reason())
			}
			if proof, ok := got.Proof(); ok && proof.Kind == plan.Unproved {
				t.Error("nothing proves that it can't be smaller")
			}
		})
	}
}
