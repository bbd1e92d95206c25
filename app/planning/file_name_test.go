package planning

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner/interpret"
)

// newHome makes a home folder with files, and folders that end in a slash.
func newHome(t *testing.T, paths ...string) string {
	t.Helper()
	home := t.TempDir()
	for _, p := range paths {
		path := filepath.Join(home, p)
		if strings.HasSuffix(p, "/") {
			must.Succeed(t, os.MkdirAll(path, 0o700))
			continue
		}
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	return home
}

// TestNameFiles finds files whose names are said without their extension.
func TestNameFiles(t *testing.T) {
	home := newHome(t, "Documents/report.txt", "Documents/Annual report 2025.docx", "Documents/cover letter.docx", "Documents/Work/old draft.txt", "Documents/Work/ideas.md", "Downloads/ideas.md",
		"Documents/список покупок.txt", "Documents/заметки.txt", "Documents/Отчёт за ноябрь.docx", "Downloads/договор аренды.pdf", "Documents/plan.txt", "Downloads/plan.pdf", "Documents/Invoices/", "Downloads/spotify.txt", "Documents/shopping_list.txt", "Documents/Annual plans/", "Downloads/book.epub", "Documents/книга.pdf", "Documents/war and peace.pdf", "Documents/Archive/")
	p := newPlannerAt(t, home)
	tests := []struct {
		words  string
		answer string
		goals  string // action target → destination; "?" and the choices of the question
	}{
		{"open the report", "", "open ~/Documents/report.txt"},
		{"read my report please", "", "read ~/Documents/report.txt"},
		{"open Cover-Letter", "", "open ~/Documents/cover letter.docx"},
		{"add oranges to my shopping list", "", "append ~/Documents/shopping_list.txt"},
		{"допиши сметану в список покупок", "", "append ~/Documents/список покупок.txt"},
		{"что написано в списке покупок", "", "read ~/Documents/список покупок.txt"},
		{"открой отчёт за ноябрь", "", "open ~/Documents/Отчёт за ноябрь.docx"},
		{"открой ОТЧЕТ ЗА НОЯБРЬ и договор аренды", "", "open ~/Documents/Отчёт за ноябрь.docx; open ~/Downloads/договор аренды.pdf"},
		{"удали заметки", "", "delete ~/Documents/заметки.txt"},
		{"delete the report in documents", "", "delete ~/Documents/report.txt"},
		{"rename the report to final report", "", "rename ~/Documents/report.txt → final report.txt"},
		{"move the report to downloads", "", "move ~/Documents/report.txt → ~/Downloads/"},
		{"move the report to the folder invoices", "", "move ~/Documents/report.txt → ~/Documents/Invoices/"},
		{"delete the old draft in work", "", "delete ~/Documents/Work/old draft.txt"},
		{"how big is the cover letter", "", "measure ~/Documents/cover letter.docx"},
		{"open ideas", "", "open ~/Downloads/ideas.md"}, // the other one is further down
		{"open plan", "", "? ~/Documents/plan.txt, ~/Downloads/plan.pdf"},
		{"delete plan", "~/Downloads/plan.pdf", "delete ~/Downloads/plan.pdf"},
		{"open plan in downloads", "", "open ~/Downloads/plan.pdf"},
		{"open the annual report", "", "? ~/Documents/Annual report 2025.docx, ~/Documents/report.txt"},
		{"open the annual report", "~/Documents/Annual report 2025.docx", "open ~/Documents/Annual report 2025.docx"},
		{"open the annual folder", "", "? ~/Documents/Annual plans"},
		{"delete all reports", "", "?"},
		{"open book", "", "open ~/Downloads/book.epub"},
		{"открой книгу", "", "open ~/Documents/книга.pdf"},
		{"open spotify", "", "app_launch"},
		{"open the file spotify", "", "open ~/Downloads/spotify.txt"},
		{"delete the report on the desktop", "", "?"},
		{"copy war and peace.pdf to the desktop", "", "copy ~/Documents/war and peace.pdf → ~/Desktop/"},
		{"delete war and peace.pdf", "", "delete ~/Documents/war and peace.pdf"},
		{"open war and peace.docx", "", "? ~/Documents/war and peace.pdf"},
		{"find my report", "", "find ~/Documents/"},
		{"find the cover letter", "", "find ~/Documents/"},
		{"find the cover letter and open it", "", "find ~/Documents/; open ~/Documents/cover letter.docx"},
		{"i need the cover letter, can you find it", "", "find ~/Documents/"},
		{"найди договор аренды", "", "find ~/Downloads/"},
		{"find ideas", "", "? ~/Downloads/ideas.md, ~/Documents/Work/ideas.md"},
		{"find ideas", "~/Downloads/ideas.md", "find ~/Downloads/"},
		{"find ideas", "web", "browser_search"},
		{"find ideas for lunch", "", "browser_search"},
		{"search the web for ideas", "", "browser_search"},
		{"find ideas on youtube", "", "browser_search"},
		{"zip the invoices folder and move the archive to the desktop", "", "zip ~/Documents/Invoices; move ~/Documents/Invoices.zip → ~/Desktop/"},
		{"move the report to the archive folder", "", "move ~/Documents/report.txt → ~/Documents/Archive/"},
		{"don't open the report", "", "-"},
		{"email the report to anna", "", "-"},
		{"search youtube for report", "", "browser_search"},
		{"open the report and search youtube for plan", "", "open ~/Documents/report.txt; browser_search"},
	}
	for _, tt := range tests {
		t.Run(tt.words+tt.answer, func(t *testing.T) {
			r := Request{Text: tt.words, Look: true}
			if tt.answer != "" {
				r.Answers = map[string]string{"file": tt.answer}
			}
			in, _ := p.Understand(r)
			if got := describeReading(in); got != tt.goals {
				t.Errorf("%q, want %q (%v)", got, tt.goals, in.Reason)
			}
			again, _ := p.Understand(Request{Text: tt.words, Answers: r.Answers, Entries: in.Entries()}) // as a replay
			if len(in.Entries()) > 0 {
				if diff := gocmp.Diff(describeReading(in), describeReading(again)); diff != "" {
					t.Errorf("reading without the disk (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// describeReading shows file goals with their paths, other goals by their action, and the files
// that a question offers.
func describeReading(in Interpretation) string {
	switch in.Status {
	case interpret.Ambiguous:
		var offered []string
		for _, c := range in.Questions[0].Choices {
			if strings.HasPrefix(c.Value, "~/") {
				offered = append(offered, c.Value)
			}
		}
		return strings.TrimSpace("? " + strings.Join(offered, ", "))
	case interpret.Unsupported:
		return "-"
	}
	var out []string
	for _, g := range in.Goals {
		text := cmp.Or(g.Action, string(g.GoalType))
		if g.Target != "" && strings.Contains(g.Target, "~") {
			text += " " + g.Target
		}
		if g.Destination != "" {
			text += " → " + g.Destination
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}
