package planning

import (
	"testing"

	"errand/planner/plan"
)

// TestNamedFolder takes a folder that is named without its place as the one that is there, and asks
// if there are several.
func TestNamedFolder(t *testing.T) {
	home := t.TempDir()
	writeFiles(t, home, "Downloads/a.pdf", "Downloads/Screenshots/shot.png", "Downloads/Старое/b.txt", "Downloads/Twins/x.txt", "Documents/Twins/y.txt", "Documents/Mine/z.txt")
	p := newPlannerAt(t, home)
	for _, tt := range []struct {
		words string
		want  string // the new path or target of the last goal, below home
		fault string // code of the error, or ""
	}{
		{"move a.pdf to the Screenshots folder", "Downloads/Screenshots/a.pdf", ""},
		{"copy a.pdf to the screenshots folder", "Downloads/Screenshots/a.pdf", ""},
		{"put a.pdf in the folder Screenshots", "Downloads/Screenshots/a.pdf", ""},
		{"copy a.pdf to Screenshots/2026", "Downloads/Screenshots/2026/a.pdf", ""},
		{"перенеси a.pdf в папку старое", "Downloads/Старое/a.pdf", ""},
		{"move a.pdf to the Mine folder", "Documents/Mine/a.pdf", ""},
		{"move a.pdf to the Receipts folder", "Documents/Receipts/a.pdf", ""},
		{"перенеси a.pdf в папку Новое место", "Documents/Новое место/a.pdf", ""},
		{"move a.pdf to the Screenshots folder in documents", "Documents/Screenshots/a.pdf", ""},
		{"move a.pdf to the Twins folder", "Documents/Twins/a.pdf", "several_found"},
		{"move a.pdf to the Twins folder in downloads", "Downloads/Twins/a.pdf", ""},
		{"create a file new.txt in the Screenshots folder", "Downloads/Screenshots/new.txt", ""},
		{"создай файл new.txt в папке Старое", "Downloads/Старое/new.txt", ""},
		{"create a file new.txt in the Twins folder", "Documents/Twins/new.txt", "several_found"},
		{"create a folder Screenshots", "Documents/Screenshots", ""},
		{"read shot.png in the Screenshots folder", "Downloads/Screenshots/shot.png", ""},
		{"delete x.txt in the Twins folder", "Downloads/Twins/x.txt", ""},
		{"read none.txt in the Screenshots folder", "Downloads/Screenshots/none.txt", "not_found"},
		{"create a folder Screenshots in documents and move a.pdf to the Screenshots folder", "Documents/Screenshots/a.pdf", ""},
		{"create a folder Trip in downloads and move a.pdf to the Trip folder", "Downloads/Trip/a.pdf", ""},
		{"создай папку Поездка в загрузках и перенеси a.pdf в папку Поездка", "Downloads/Поездка/a.pdf", ""},
	} {
		t.Run(tt.words, func(t *testing.T) {
			in := p.Interpret(tt.words)
			if len(in.Goals) == 0 {
				t.Fatalf("not understood: %+v", in)
			}
			facts := p.ExistingPaths(in.files)
			set := p.Settle(in.files, facts)
			g := set.Goals[len(set.Goals)-1]
			got := g.Target
			if to := g.NewPath(); to != "" {
				got = to
			}
			if want := home + "/" + tt.want; got != want && tt.fault != "several_found" {
				t.Errorf("path %s, want %s", got, want)
			}
			if code := codeOf(p.CheckTargets(in, plan.World{RecentFacts: facts}, true)); code != tt.fault {
				t.Errorf("error %q, want %q", code, tt.fault)
			}
		})
	}
}
