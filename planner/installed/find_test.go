package installed

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func entry(id string, names ...string) Entry {
	return Entry{App: App{ID: id + suffix, Name: names[0], File: "/apps/" + id + suffix}, Names: names}
}

func with(e Entry, generic, programs, keywords string) Entry {
	e.Generic, e.Programs, e.Keywords = strings.Fields(generic), strings.Fields(programs), strings.Fields(keywords)
	return e
}

var desktop = []Entry{
	with(entry("calc", "Calculator", "Калькулятор"), "", "gnome-calculator", "sums вычисления"),
	with(entry("kcalc", "KCalc"), "Calculator Калькулятор", "kcalc", "sums"),
	with(entry("evince", "Document Viewer", "Просмотр документов"), "", "evince", "pdf"),
	with(entry("okular", "Okular"), "Viewer", "okular", "pdf"),
	entry("weather", "Weather", "Погода"),
	entry("camera", "Камера устройства"),
	entry("musicbox", "Музыкальная шкатулка"),
	entry("mail", "Почта Evolution"),
	entry("7zip", "7-Zip"),
	entry("cpp", "C++ Builder"),
	entry("firefox", "Firefox"),
	entry("fake", "Firefoх"), // with a Cyrillic х
	entry("twin1", "Notes"),
	entry("twin2", "Notes"),
	with(entry("gimp", "GNU Image Manipulation Program"), "Editor", "gimp", ""),
}

func ids(apps []App) string {
	var out []string
	for _, a := range apps {
		out = append(out, strings.TrimSuffix(a.ID, suffix))
	}
	return strings.Join(out, " ")
}

func TestFind(t *testing.T) {
	tests := []struct {
		words   string
		aliases string
		exact   string
		near    string
	}{
		{"calculator", "", "calc", ""}, // a name comes before a kind
		{"Calculator!", "", "calc", ""},
		{"калькулятор", "", "calc", ""},
		{"КАЛЬКУЛЯТОР", "", "calc", ""},
		{"kcalc", "", "kcalc", ""},
		{"viewer", "", "okular", ""}, // a kind
		{"evince", "", "evince", ""}, // a program
		{"pdf", "", "evince okular", ""},
		{"sums", "", "calc kcalc", ""},
		{"notes", "", "twin1 twin2", ""},
		{"погоду", "", "weather", ""},
		{"просмотр документов", "", "evince", ""},
		{"камеру устройства", "", "camera", ""},
		{"музыкальную шкатулку", "", "musicbox", ""},
		{"почту evolution", "", "mail", ""},
		{"почта Evolution", "", "mail", ""},
		{"7 zip", "", "7zip", ""},
		{"7zip", "", "7zip", ""},
		{"c++ builder", "", "cpp", ""},
		{"c builder", "", "", "cpp"},
		{"firefox", "", "firefox", ""}, // not what looks like it
		{"fire fox", "", "firefox", ""},
		{"firefx", "", "", "firefox"},
		{"image manipulation", "", "", "gimp"},
		{"документов", "", "", "evince"},
		{"gn", "", "", ""},
		{"the", "", "", ""},
		{"", "", "", ""},
		{"...", "", "", ""},
		{"editor", "gimp", "gimp", ""},
		{"browser", "calculator,pdf", "calc", ""}, // an alias is a name, no keyword
		{"browser", "pdf", "", ""},
	}
	for _, tt := range tests {
		var aliases []string
		if tt.aliases != "" {
			aliases = strings.Split(tt.aliases, ",")
		}
		got := Find(desktop, tt.words, aliases...)
		if ids(got.Exact) != tt.exact || ids(got.Near) != tt.near {
			t.Errorf("Find(%q, %q) = exact %q, near %q; want %q, %q", tt.words, tt.aliases, ids(got.Exact), ids(got.Near), tt.exact, tt.near)
		}
	}
}

func TestFindIsBounded(t *testing.T) {
	var many []Entry
	for range 50 {
		many = append(many, entry("a", "Notes"))
	}
	if n := len(Find(many, "notes").Exact); n != maxExact {
		t.Errorf("%d exact", n)
	}
	if n := len(Find(many, "notas").Near); n != maxNear {
		t.Errorf("%d near", n)
	}
}

func TestAnswers(t *testing.T) {
	var a Answers
	calls := 0
	find := a.Record(func(l Lookup) Found {
		calls++
		return Find(desktop, l.Words)
	})
	for range 2 {
		if got := ids(find(Lookup{Words: "notes"}).Exact); got != "twin1 twin2" {
			t.Errorf("recorded %q", got)
		}
	}
	if calls != 1 || len(a) != 1 {
		t.Errorf("%d calls, %d answers", calls, len(a))
	}
	if got := ids(a.Find(Lookup{Words: "notes"}).Exact); got != "twin1 twin2" {
		t.Errorf("replayed %q", got)
	}
	if got := a.Find(Lookup{Words: "calculator"}); len(got.Exact) > 0 || len(a) != 1 {
		t.Errorf("what was not recorded: %v", got)
	}
	if a.Record(nil) != nil {
		t.Error("a finder of no finder")
	}
}

// FuzzFind: any words are answered within bounds, and a name finds its app.
func FuzzFind(f *testing.F) {
	f.Add("погоду", "Погода")
	f.Add("a*b", "* ** ё́")
	f.Fuzz(func(t *testing.T, words, name string) {
		entries := append(slices.Clone(desktop), entry("x", name))
		got := Find(entries, words)
		if len(got.Exact) > maxExact || len(got.Near) > maxNear {
			t.Errorf("%d exact, %d near", len(got.Exact), len(got.Near))
		}
		if own := Find([]Entry{entry("x", name)}, name); utf8.ValidString(name) && Fold(name) != "" && len(own.Exact) != 1 {
			t.Errorf("%q does not find itself", name)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	var many []Entry
	for range 20 {
		many = append(many, desktop...)
	}
	for b.Loop() {
		Find(many, "отсутствует")
	}
}
