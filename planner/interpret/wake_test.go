package interpret

import (
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
)

// TestWakeWords: a configured name addresses the program, before a command and after it, and
// is a word like any other in a query or a name.
func TestWakeWords(t *testing.T) {
	in, err := New(catalogue.Default(), Options{WakeWords: []string{"Friday", "Астра", "hal nine thousand", ""}})
	must.Succeed(t, err)
	for text, want := range map[string]string{
		"friday, open youtube":            "n:https://youtube.com/",
		"Friday open youtube":             "n:https://youtube.com/",
		"hey friday, open youtube":        "n:https://youtube.com/",
		"open youtube, friday":            "n:https://youtube.com/",
		"hal nine thousand, open youtube": "n:https://youtube.com/",
		"Астра, открой Telegram":          "a:telegram",
		"открой ютуб, астра":              "n:https://youtube.com/",
		"friday, don't open youtube":      "-",
		"search youtube for friday":       "s:youtube:friday",
		"find friday":                     "s:google:friday",
		"create folder friday":            "c:folder:friday",
		"friday":                          "-",
	} {
		if got := shortOf(in, text); got != want {
			t.Errorf("Read(%q) = %s, want %s", text, got, want)
		}
	}
	if got := shortOf(newInterpreter(t), "astra, open youtube"); got != "?" {
		t.Errorf("an unknown name is obeyed: %s", got)
	}
}
