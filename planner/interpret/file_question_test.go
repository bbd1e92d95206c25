package interpret

import "testing"

// TestWhichFile: the answer to which file is meant keeps the page and the place to save to.
func TestWhichFile(t *testing.T) {
	in := newInterpreter(t)
	for _, tt := range []struct{ text, answer, action, target, saveTo string }{
		{"download the pdf from example.com", "report.pdf", "download", "https://example.com/#report.pdf", ""},
		{"download the pdf from example.com to my documents", "annual report.pdf", "download", "https://example.com/#annual report.pdf", "~/Documents/"},
		{"download the zip from example.com", "https://example.com/a.zip", "download", "https://example.com/a.zip", ""},
		{"download the pdf from example.com", "save https://example.com/ as a pdf", "save", "https://example.com/", ""},
		{"скачай пдф с example.com", "отчёт.pdf", "download", "https://example.com/#отчёт.pdf", ""},
		{"скачай файл с example.com", "сохрани https://example.com/ в pdf", "save", "https://example.com/", ""},
	} {
		t.Run(tt.text+": "+tt.answer, func(t *testing.T) {
			r := in.ReadWith(tt.text, map[string]string{"download": tt.answer})
			if r.Status != OK || len(r.Goals.Goals) != 1 {
				t.Fatalf("%s, %s, %+v", r.Status, r.Reason, r.Questions)
			}
			g := r.Goals.Goals[0]
			target := g.Target
			if g.Query != "" {
				target += "#" + g.Query
			}
			if g.Action != tt.action || target != tt.target || g.SaveTo != tt.saveTo {
				t.Errorf("%s %s > %q", g.Action, target, g.SaveTo)
			}
		})
	}
}
