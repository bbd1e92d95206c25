package planning

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/planning/places"
	"errand/build/must"
	"errand/planner/plan"
)

// makeFiles writes small files below a folder. A path that ends in a separator is a folder.
func makeFiles(t *testing.T, home string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		full := filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "/") {
			if err := os.MkdirAll(full, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(full, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyFiles expands goals about many files into one goal for each file that is there.
func TestManyFiles(t *testing.T) {
	home := t.TempDir()
	makeFiles(t, home, "Documents/taken.pdf", "Documents/old/", "Downloads/a.pdf", "Downloads/B.PDF", "Downloads/c.jpg",
		"Downloads/.hidden.pdf", "Downloads/.pdf", "Downloads/folder.pdf/x.pdf", "Downloads/sub/deep.pdf", "Downloads/x.tmp", "Downloads/taken.txt",
		"Documents/taken.txt")
	if err := os.Symlink(filepath.Join(home, "Downloads", "a.pdf"), filepath.Join(home, "Downloads", "link.pdf")); err != nil {
		t.Fatal(err)
	}
	p := newPlannerAt(t, home)
	for _, tt := range []struct {
		words string
		want  []string // "action path > new path" below home
		fault string
	}{
		{"move all pdfs from downloads to documents", []string{"move B.PDF > Documents/B.PDF", "move a.pdf > Documents/a.pdf"}, ""},
		{"move all pdfs from downloads to documents/new", []string{"move B.PDF > Documents/new/B.PDF", "move a.pdf > Documents/new/a.pdf"}, ""},
		{"перемести все pdf из загрузок в документы", []string{"move B.PDF > Documents/B.PDF", "move a.pdf > Documents/a.pdf"}, ""},
		{"copy all photos from downloads to documents", []string{"copy c.jpg > Documents/c.jpg"}, ""},
		{"удали все картинки из загрузок", []string{"delete c.jpg"}, ""},
		{"delete all .tmp files in downloads", []string{"delete x.tmp"}, ""},
		{"delete all mp3 files in downloads", nil, "not_found"},
		{"delete all mp3 files in the folder none in downloads", nil, "not_found"},
		{"move all text files from downloads to documents", nil, "destination_exists"},
		{"move all pdfs from pictures to downloads", nil, "path_outside_roots"},
		{"move all files from documents/old to downloads", nil, "not_found"},
	} {
		t.Run(tt.words, func(t *testing.T) {
			in := p.Interpret(tt.words)
			if len(in.Goals) != 1 {
				t.Fatalf("goals %+v, reason %v", in.Goals, in.Reason)
			}
			world := plan.World{RecentFacts: p.ExistingPaths(in.files)}
			code := ""
			if fault := p.CheckTargets(in, world, true); fault != nil {
				code = fault.Code
			}
			if code != tt.fault {
				t.Fatalf("error %q, want %q", code, tt.fault)
			}
			if code != "" {
				return
			}
			var got []string
			ids := map[string]bool{}
			for _, g := range places.Expand(p.Settle(in.files, world.RecentFacts), world.RecentFacts).Goals {
				line := g.Action + " " + strings.TrimPrefix(g.Target, home+"/Downloads/")
				if to := g.NewPath(); to != "" {
					line += " > " + strings.TrimPrefix(to, home+"/")
				}
				if got = append(got, line); ids[g.GoalID] || g.ObjectType != "file" || g.Value != "" {
					t.Errorf("goal %+v", g)
				}
				ids[g.GoalID] = true
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// TestManyFilesLimit refuses more files than a plan may have.
func TestManyFilesLimit(t *testing.T) {
	home := t.TempDir()
	makeFiles(t, home, "Documents/", "Downloads/")
	for i := range plan.MaxFiles {
		makeFiles(t, home, fmt.Sprintf("Downloads/%04d.tmp", i))
	}
	p := newPlannerAt(t, home)
	in := p.Interpret("delete all .tmp files in downloads")
	facts := p.ExistingPaths(in.files)
	if goals := places.Expand(p.Settle(in.files, facts), facts).Goals; len(goals) != plan.MaxFiles {
		t.Errorf("%d goals, want %d", len(goals), plan.MaxFiles)
	}
	makeFiles(t, home, "Downloads/one-more.tmp")
	world := plan.World{RecentFacts: p.ExistingPaths(in.files)}
	if fault := p.CheckTargets(in, world, true); fault == nil || fault.Code != "too_many_files" {
		t.Errorf("error %v, want too_many_files", fault)
	}
}

// TestScreenshots means the pictures whose names say that they are screenshots.
func TestScreenshots(t *testing.T) {
	home := t.TempDir()
	names := []string{"Screenshot 1.png", "wallpaper.jpg", "Снимок экрана от 5 мая.png", "Screen Shot 2.PNG", "screenshot notes.txt"}
	for _, name := range names {
		writeFiles(t, home, "Downloads/"+name)
	}
	p := newPlannerAt(t, home)
	for words, want := range map[string]int{
		"move all screenshots from downloads to documents": 3, "удали все скриншоты из загрузок": 3, "copy the screenshots from downloads to documents": 3,
		"перенеси все снимки экрана из загрузок в документы": 3, "delete all pictures in downloads": 4,
	} {
		in := p.Interpret(words)
		if len(in.Goals) != 1 {
			t.Fatalf("%q is not understood: %v", words, in.Reason)
		}
		facts := p.ExistingPaths(in.files)
		if got := places.Expand(p.Settle(in.files, facts), facts).Goals; len(got) != want {
			t.Errorf("%q means %+v, want %d files", words, got, want)
		}
	}
}

// TestChosenFiles expands goals about files that their order chooses, and one about a single file is
// not one about many.
func TestChosenFiles(t *testing.T) {
	home := t.TempDir()
	makeFiles(t, home, "Documents/", "Downloads/old.pdf", "Downloads/middle.txt", "Downloads/new.pdf", "Downloads/newest.jpg")
	for i, name := range []string{"old.pdf", "middle.txt", "new.pdf", "newest.jpg"} {
		path := filepath.Join(home, "Downloads", name)
		must.Succeed(t, os.WriteFile(path, make([]byte, 100-i), 0o600))
		must.Succeed(t, os.Chtimes(path, time.Time{}, time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)))
	}
	p := newPlannerAt(t, home)
	for _, tt := range []struct {
		words string
		many  bool
		want  []string
	}{
		{"open the newest file in downloads", false, []string{"open newest.jpg"}},
		{"move the newest pdf in downloads to documents", false, []string{"move new.pdf > Documents/new.pdf"}},
		{"copy the 2 oldest files in downloads to documents", true, []string{"copy old.pdf > Documents/old.pdf", "copy middle.txt > Documents/middle.txt"}},
		{"delete the smallest file in downloads", false, []string{"delete newest.jpg"}},
		{"rename the biggest file in downloads to plan", false, []string{"rename old.pdf > Downloads/plan.pdf"}},
		{"rename the oldest file in downloads to plan.txt", false, []string{"rename old.pdf > Downloads/plan.txt"}},
		{"zip the newest pdf in downloads", false, []string{"zip new.pdf > Downloads/new.pdf.zip"}},
		{"удали самый старый файл в загрузках", false, []string{"delete old.pdf"}},
	} {
		in := p.Interpret(tt.words)
		if len(in.Goals) != 1 {
			t.Errorf("%s: goals %+v, reason %v", tt.words, in.Goals, in.Reason)
			continue
		}
		facts := p.ExistingPaths(in.files)
		if fault := p.CheckTargets(in, plan.World{RecentFacts: facts}, true); fault != nil {
			t.Errorf("%s: %v", tt.words, fault)
		}
		var got []string
		for _, g := range places.Expand(p.Settle(in.files, facts), facts).Goals {
			line := g.Action + " " + strings.TrimPrefix(g.Target, home+"/Downloads/")
			if to := g.NewPath(); to != "" {
				line += " > " + strings.TrimPrefix(to, home+"/")
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || in.Goals[0].AreMany() != tt.many {
			t.Errorf("%s: many %v, %s", tt.words, in.Goals[0].AreMany(), diff)
		}
	}
}
