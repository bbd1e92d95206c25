package plan

import "testing"

func TestFileFilter(t *testing.T) {
	for _, c := range []struct {
		filter, name string
		want         bool
	}{
		{"", "a.pdf", true},
		{"", "README", true},
		{".pdf", "a.pdf", true},
		{".pdf", "A.PDF", true},
		{".PDF", "a.pdf", true},
		{".pdf", "a.pdf.zip", false},
		{".pdf", "apdf", false},
		{".pdf", ".pdf", false},
		{".jpg,.png", "b.png", true},
		{".jpg,.png", "b.gif", false},
		{".gz", "a.tar.gz", true},
		{".tmp", "отчёт.tmp", true},
		{".png,names:screenshot|снимок экрана", "Screenshot 1.png", true},
		{".png,names:screenshot|снимок экрана", "Снимок экрана от 5 мая.PNG", true},
		{".png,names:screenshot|снимок экрана", "wallpaper.png", false},
		{".png,names:screenshot|снимок экрана", "screenshot.txt", false},
		{".pdf,after:today-1,before:week,larger:5,smaller:7,order:newest,text:a, b:c", "a.pdf", true},
		{"text:.pdf", "a.txt", true},
	} {
		f := ParseFileFilter(c.filter)
		if got := f.Matches(c.name); got != c.want {
			t.Errorf("filter %q matches %q = %v, want %v", c.filter, c.name, got, c.want)
		}
		if again := ParseFileFilter(f.String()).String(); again != f.String() {
			t.Errorf("filter %q is read back as %q", f, again)
		}
	}
}
