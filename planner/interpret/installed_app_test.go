package interpret

import (
	"fmt"
	"strings"
	"testing"

	"errand/build/must"
	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/plan"
)

// desktop finds apps by their names, in English and in Russian.
func desktop(lookups *[]installed.Lookup) installed.Finder {
	var all []installed.Entry
	for id, names := range map[string][]string{
		"clocks": {"Clocks", "Часы"}, "weather": {"Weather", "Погода"}, "files": {"Files", "Файлы"}, "photos": {"Photos"},
		"writer": {"LibreOffice Writer"}, "gnote": {"Gnote"}, "it": {"It"}, "youtube": {"YouTube"}, "nightly": {"Firefox Nightly"},
		"search": {"Search and Rescue"}, "bash": {"Bash"}, "downloads": {"Downloads"}, "vim": {"Open Vim"}, "docs": {"The Docs Reader"},
		"notes1": {"Sticky Notes"}, "notes2": {"Sticky Notes"}, "notes3": {"Sticky Notes"}, "inkscape": {"Inkscape"},
	} {
		all = append(all, installed.Entry{App: installed.App{ID: id + ".desktop", Name: names[0], File: "/apps/" + id + ".desktop"}, Names: names})
	}
	return func(l installed.Lookup) installed.Found {
		*lookups = append(*lookups, l)
		found := installed.Find(all, l.Words)
		for _, list := range [][]installed.App{found.Exact, found.Near} { // a map has no order
			for i := range list {
				for j := range list[:i] {
					if list[i].ID < list[j].ID {
						list[i], list[j] = list[j], list[i]
					}
				}
			}
		}
		return found
	}
}

// describe is a reading in one line: its goals, or its question with the values of the choices.
func describe(r Reading) string {
	var out []string
	for _, g := range r.Goals.Goals {
		out = append(out, fmt.Sprintf("%s:%s%s", g.GoalType, g.Target, g.Query))
	}
	for _, q := range r.Questions {
		out = append(out, "?"+q.ID)
		for _, c := range q.Choices {
			out = append(out, c.Value)
		}
	}
	if len(out) == 0 {
		return r.Reason.Code
	}
	return strings.Join(out, " ")
}

func TestOpenInstalled(t *testing.T) {
	tests := []struct {
		text, want string
		looks      bool
	}{
		{"open clocks", "app_launch:clocks.desktop", true},
		{"launch Clocks.", "app_launch:clocks.desktop", true},
		{"please start the clocks app", "app_launch:clocks.desktop", true},
		{"open the app clocks", "app_launch:clocks.desktop", true},
		{`open "clocks"`, "app_launch:clocks.desktop", true},
		{"открой часы", "app_launch:clocks.desktop", true},
		{"ОТКРОЙ ЧАСЫ", "app_launch:clocks.desktop", true},
		{"запусти погоду", "app_launch:weather.desktop", true},
		{"запусти приложение погода", "app_launch:weather.desktop", true},
		{"open libreoffice writer", "app_launch:writer.desktop", true},
		{"open firefox nightly", "app_launch:nightly.desktop", true},
		{"open clocks and youtube", "app_launch:clocks.desktop browser_navigate:https://youtube.com/", true},
		{"открой часы, потом найди котов", "app_launch:clocks.desktop browser_search:котов", true},
		{"open gnote", "app_launch:gnote.desktop", true}, // no typo of another name
		{"open my clocks", "app_launch:clocks.desktop", true},
		{"open the docs reader", "app_launch:docs.desktop", true},

		// Several, or nothing of that name.
		{"open sticky notes", "?choice notes1.desktop notes2.desktop notes3.desktop", true},
		{"open writer", `?unknown writer.desktop search the web for "writer" writer.com`, true},
		{"open clokcs", `?unknown clocks.desktop search the web for "clokcs" clokcs.com`, true},
		{"открой чсаы", "?unknown clocks.desktop найди в интернете «чсаы»", true},

		// Sites, apps of the catalogue, folders and addresses come first, and nothing is looked for.
		{"open youtube", "browser_navigate:https://youtube.com/", false},
		{"open inkscape", "app_launch:inkscape", false},
		{"open downloads", "file_operation:~/Downloads/", false},
		{"open clocks.com", "browser_navigate:https://clocks.com/", false},
		{"search youtube for clocks", "browser_search:clocks", false},
		{"open it", "?target", false},
		{"open youtube and search nvidia", "browser_navigate:https://youtube.com/ browser_search:nvidia", false},

		// An app is offered where the words mean something else too.
		{"открой файлы", "?target files.desktop", true},
		{"open photos", "?target photos.desktop", true},
		{"open the youtube app", "?choice youtube.desktop youtube", true},
		{"open the app youtube", "?choice youtube.desktop youtube", true},

		// Not a command to open an app.
		{"show me clocks", "reason.web_question", false},
		{"show me the clocks app", "app_launch:clocks.desktop", true},
		{"open the site clocks", `?unknown search the web for "clocks" clocks.com`, false},
		{"don't open clocks", "reason.forbidden", true},
		{"open the folder clocks", "file_operation:clocks", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var lookups []installed.Lookup
			i, err := New(catalogue.Default(), Options{Apps: desktop(&lookups)})
			must.Succeed(t, err)
			if got := describe(i.Read(tt.text)); got != tt.want {
				t.Errorf("%q: %s; want %s", tt.text, got, tt.want)
			}
			if looks := len(lookups) > 0; looks != tt.looks {
				t.Errorf("%q: looked for %v", tt.text, lookups)
			}
		})
	}
}

func TestAnswerInstalled(t *testing.T) {
	tests := []struct {
		text    string
		answers map[string]string
		want    string
	}{
		{"open sticky notes", map[string]string{"choice": "notes2.desktop"}, "app_launch:notes2.desktop"},
		{"open clokcs", map[string]string{"unknown": "clocks.desktop"}, "app_launch:clocks.desktop"},
		{"open clokcs", map[string]string{"unknown": "clocks"}, "app_launch:clocks.desktop"},
		{"open clokcs", map[string]string{"unknown": "youtube"}, "browser_navigate:https://youtube.com/"},
		{"open clokcs", map[string]string{"unknown": "other.desktop"}, `?unknown_2 docker-desktop search the web for "other.desktop"`}, // no choice
		{"открой файлы", map[string]string{"target": "files.desktop"}, "app_launch:files.desktop"},
		{"open the youtube app", map[string]string{"choice": "youtube.desktop"}, "app_launch:youtube.desktop"},
		{"open the youtube app", map[string]string{"choice": "youtube"}, "browser_navigate:https://youtube.com/"},
		{"open the app youtube", map[string]string{"choice": "youtube"}, "browser_navigate:https://youtube.com/"},
		{"open sticky notes and youtube", map[string]string{"choice": "notes1.desktop"}, "app_launch:notes1.desktop browser_navigate:https://youtube.com/"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var lookups []installed.Lookup
			i, err := New(catalogue.Default(), Options{})
			must.Succeed(t, err)
			if got := describe(i.WithApps(desktop(&lookups)).ReadWith(tt.text, tt.answers)); got != tt.want {
				t.Errorf("%q with %v: %s; want %s", tt.text, tt.answers, got, tt.want)
			}
			if r := i.ReadWith(tt.text, nil); r.Status == OK && r.Goals.Goals[0].GoalType == plan.AppLaunch {
				t.Errorf("without installed apps: %s", describe(r))
			}
		})
	}
}
