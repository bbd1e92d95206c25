package planning

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestRealNames finds what the words mean by what is there: names that differ in case, names
// with the words before them, and files of a name further down.
func TestRealNames(t *testing.T) {
	home := t.TempDir()
	writeFiles(t, home,
		"Documents/my notes.txt", "Downloads/notes.txt", "Documents/Invoices/a.pdf", "Downloads/invoice.pdf", "Documents/Work/Reports/q1.docx",
		"Documents/Учёба/диплом.docx", "Documents/Taxes/2024/w2.pdf", "Documents/Taxes/taxes.pdf", "Documents/README.md", "Documents/a/one.txt", "Downloads/b/one.txt",
		"Documents/Twin/x.txt", "Documents/TWIN/x.txt", "Documents/1/2/3/deep.txt", "Documents/e\u0301te\u0301/sun.txt", "Documents/my cv.pdf", "Documents/cv.pdf", "Documents/.hidden/secret.txt",
	)
	p := newPlannerAt(t, home)
	tests := []struct {
		words       string
		target      string // below home
		destination string // the same, unless it is a bare name
		fault       string // code of the error, or ""
	}{
		// words before a name that belong to it
		{"delete my notes.txt", "Documents/my notes.txt", "", ""},
		{"read my notes.txt", "Documents/my notes.txt", "", ""},
		{"open my notes.txt in documents", "Documents/my notes.txt", "", ""},
		{"delete the notes.txt", "Downloads/notes.txt", "", ""},
		{"read my notes.txt in downloads", "Downloads/notes.txt", "", ""},
		{"copy my cv.pdf to downloads", "Documents/my cv.pdf", "Downloads/", ""},
		{"read cv.pdf", "Documents/cv.pdf", "", ""},
		// case, ё and the Unicode form
		{"move invoice.pdf from downloads to documents/invoices", "Downloads/invoice.pdf", "Documents/Invoices/", ""},
		{"make folder x inside documents/work/reports", "Documents/Work/Reports/x", "", ""},
		{"create folder invoices in documents", "Documents/Invoices", "", ""},
		{"zip up the invoices folder in documents", "Documents/Invoices", "", ""},
		{"открой папку учеба в документах", "Documents/Учёба", "", ""},
		{"read readme.md", "Documents/README.md", "", ""},
		{"delete file readme.md in documents", "Documents/README.md", "", ""},
		{"delete folder INVOICES in documents", "Documents/Invoices", "", ""},
		{"open folder \u00e9t\u00e9 in documents", "Documents/e\u0301te\u0301", "", ""},
		{"open folder twin in documents", "Documents/twin", "", "not_found"}, // two have the name
		{"open folder TWIN in documents", "Documents/TWIN", "", ""},
		{"create file q2.docx in documents/Work", "Documents/Work/q2.docx", "", ""},
		// further down
		{"open taxes.pdf", "Documents/Taxes/taxes.pdf", "", ""},
		{"открой диплом.docx", "Documents/Учёба/диплом.docx", "", ""},
		{"read one.txt", "Documents/a/one.txt", "", "several_found"},
		{"open w2.pdf", "Documents/Taxes/2024/w2.pdf", "", ""},
		{"open deep.txt", "Documents/deep.txt", "", "not_found"},
		{"open secret.txt", "Documents/secret.txt", "", "not_found"},
	}
	for _, tt := range tests {
		t.Run(tt.words, func(t *testing.T) {
			in := p.Interpret(tt.words)
			if len(in.Goals) != 1 {
				t.Fatalf("goals %+v, reason %v", in.Goals, in.Reason)
			}
			world := plan.World{RecentFacts: p.ExistingPaths(in.files)}
			g := p.Settle(in.files, world.RecentFacts).Goals[0]
			if want := filepath.Join(home, tt.target); g.Target != want {
				t.Errorf("target %q, want %q", g.Target, want)
			}
			if tt.destination != "" && g.Destination != home+"/"+tt.destination {
				t.Errorf("destination %q, want %q", g.Destination, tt.destination)
			}
			if code := codeOf(p.CheckTargets(in, world, true)); code != tt.fault {
				t.Errorf("error %q, want %q", code, tt.fault)
			}
		})
	}
}

// TestUngrantedFolder tells before a run begins that a known folder is not granted.
func TestUngrantedFolder(t *testing.T) {
	home := t.TempDir()
	p := newPlannerAt(t, home)
	tests := []struct {
		words string
		want  string // below home, or ""
	}{
		{"open the vacation folder in pictures", "Pictures"},
		{"move a.jpg from downloads to pictures", "Pictures"},
		{"copy song.mp3 from downloads to music", "Music"},
		{"найди фото в картинках", "Pictures"},
		{"create folder trips in videos", "Videos"},
		{"move a.jpg from downloads to pictures/vacation", "Pictures"},
		{"move a.jpg to the folder pictures", "Pictures"},
		{"copy a.mp4 from downloads to my videos/2026", "Videos"},
		{"create a folder music/jazz", "Music"},
		{"перенеси a.jpg из загрузок в картинки/отпуск", "Pictures"},
		{"перенеси a.mp4 из загрузок в папку видео/2026", "Videos"},
		{"перенеси a.pdf из загрузок на рабочий стол/отчёты", "Desktop"},
		{"create a folder music", ""},
		{"создай папку картинки", ""},
		{"create folder trips in documents", ""},
		{"move a.jpg from downloads to documents/pictures", ""},
		{"find report.pdf", ""},
		{"open youtube", ""},
	}
	for _, tt := range tests {
		in := p.Interpret(tt.words)
		want := message.Message{}
		if tt.want != "" {
			want = message.New("planning.known_folder_not_allowed", "path", filepath.Join(home, tt.want))
		}
		planned, err := p.PlanUnderstood(in, nil, Request{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, planned.Result.Reason()); tt.want != "" && diff != "" || planned.Result.Status() == plan.Blocked && tt.want == "" && strings.Contains(planned.Result.Reason().Code, "known_folder") {
			t.Errorf("%q: %s (-want +got):\n%s", tt.words, planned.Result.Status(), diff)
		}
	}
}

// TestPlanOfSeveral shows no plan for a name that several files have.
func TestPlanOfSeveral(t *testing.T) {
	home := t.TempDir()
	writeFiles(t, home, "Documents/report.docx", "Downloads/report.docx", "Downloads/one.txt")
	p := newPlannerAt(t, home)
	for words, want := range map[string]bool{
		"delete report.docx": true, "read report.docx": true, "delete report.docx in documents": false, "read one.txt": false, "create file report.docx": false,
	} {
		planned, err := p.PlanUnderstood(p.Interpret(words), nil, Request{Look: true})
		if err != nil {
			t.Fatal(err)
		}
		if blocked := planned.Result.Status() == plan.Blocked; blocked != want {
			t.Errorf("%q: %s, want blocked %v", words, planned.Result.Status(), want)
		}
	}
}

// writeFiles creates files with their folders below home.
func writeFiles(t *testing.T, home string, files ...string) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(home, file)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, []byte("x"), 0o600))
	}
}

// codeOf returns the code of an error, or "".
func codeOf(fault *tool.Error) string {
	if fault == nil {
		return ""
	}
	return fault.Code
}
