package filename_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/interpret"
	"errand/planner/interpret/filename"
)

// entriesAt makes entries of paths; a folder ends in a slash.
func entriesAt(paths ...string) []filename.Entry {
	var out []filename.Entry
	for _, p := range paths {
		path, folder := strings.CutSuffix(p, "/")
		out = append(out, filename.Entry{Path: path, Folder: folder, Depth: max(0, strings.Count(path, "/")-2)})
	}
	return out
}

// TestFind finds the words that name an entry.
func TestFind(t *testing.T) {
	there := entriesAt("~/Documents/Annual report 2025.docx", "~/Documents/report.txt", "~/Documents/cover_letter.docx", "~/Documents/список покупок.txt", "~/Documents/заметки.txt", "~/Documents/Отчёт за ноябрь.docx",
		"~/Documents/Work/", "~/Documents/Work/old draft.txt", "~/Documents/My notes.txt", "~/Documents/notes.tar.gz", "~/Documents/Invoices/", "~/Documents/beach.jpg", "~/Documents/contract.pdf", "~/Desktop/Новая папка/", "~/Documents/youtube/")
	i, err := interpret.New(catalogue.Default(), interpret.Options{})
	must.Succeed(t, err)
	tests := []struct {
		text  string
		words string // of the first mention; "": there is none
		paths string
		near  bool
	}{
		{"open the report", "report", "~/Documents/report.txt", false},
		{"open the annual report", "report", "~/Documents/report.txt", false},
		{"open the annual reports", "annual reports", "~/Documents/Annual report 2025.docx ~/Documents/report.txt", true},
		{"put the cover letter away", "cover letter", "~/Documents/cover_letter.docx", false},
		{"open Cover-Letter", "Cover-Letter", "~/Documents/cover_letter.docx", false},
		{"что в списке покупок", "списке покупок", "~/Documents/список покупок.txt", false},
		{"сделай копию заметок", "заметок", "~/Documents/заметки.txt", false},
		{"открой отчет за ноябрь", "отчет за ноябрь", "~/Documents/Отчёт за ноябрь.docx", false},
		{"удали новую папку", "новую папку", "~/Desktop/Новая папка", false},
		{"open my notes", "notes", "~/Documents/My notes.txt", false},
		{"open notes", "notes", "~/Documents/notes.tar.gz", false},
		{"delete the old draft in work", "old draft in work", "~/Documents/Work/old draft.txt", false},
		{"open the contract pdf", "contract pdf", "~/Documents/contract.pdf", false},
		{"open the photo of the beach", "beach", "~/Documents/beach.jpg", false},
		{`open "annual report 2025"`, `"annual report 2025"`, "~/Documents/Annual report 2025.docx", false},
		{"open youtube", "", "", false},
		{"open the folder youtube", "youtube", "~/Documents/youtube", false},
		{"open the file invoices", "", "", false},
		{"open the folder invoices", "invoices", "~/Documents/Invoices", false},
		{"open something", "", "", false},
		{strings.Repeat("open the report and ", 20), "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			found := filename.Find(i.Parse(tt.text), slices.Values(there))
			var words, paths string
			near := false
			if len(found) > 0 {
				m := found[0]
				words, near = tt.text[m.Start:m.End], m.IsSimilar
				for _, e := range m.Entries {
					paths = strings.TrimSpace(paths + " " + e.Path)
				}
			}
			if diff := cmp.Diff([]any{tt.words, tt.paths, tt.near}, []any{words, paths, near}); diff != "" {
				t.Errorf("first mention (-want +got):\n%s", diff)
			}
		})
	}
}
