package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/planner/installed"
	"errand/planner/plan"
)

// onDesktop opens the program for a user with the applications of host/apps/testdata. The programs of the
// catalogue that programs lists are there too.
func onDesktop(t *testing.T, programs ...string) *App {
	t.Helper()
	share, err := filepath.Abs("../host/apps/testdata/share")
	must.Succeed(t, err)
	bin := t.TempDir()
	for _, name := range programs {
		must.Succeed(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o700))
	}
	t.Setenv("PATH", bin)
	a, home := opened(t, Options{}, "XDG_DATA_DIRS="+share+"/flatpak:"+share+"/usr:"+share+"/snap", "XDG_CURRENT_DESKTOP=GNOME", "LANG=ru_RU.UTF-8")
	must.Succeed(t, os.MkdirAll(filepath.Join(home, ".local/share"), 0o755))
	must.Succeed(t, os.Symlink(share+"/home/applications", filepath.Join(home, ".local/share/applications")))
	return a
}

// planned is what a plan of words says: its steps, or its question with the choices.
func planned(t *testing.T, a *App, words string, answers map[string]string) string {
	t.Helper()
	got, err := a.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: words, Answers: answers})
	must.Succeed(t, err)
	texts := i18n.English()
	if got.Interpretation.Language == "ru" {
		texts = i18n.ForTag("ru")
	}
	var out []string
	for _, q := range got.Interpretation.Questions {
		for _, c := range q.Choices {
			out = append(out, texts.Text(c.Label))
		}
	}
	if got.Result != nil {
		p, _ := got.Result.Plan()
		for _, action := range p.Actions() {
			out = append(out, texts.Text(action.Preview))
		}
	}
	text := strings.Join(out, " | ")
	share, _ := filepath.Abs("../host/apps/testdata/share")
	text = strings.ReplaceAll(text, share+"/", "")
	return strings.ReplaceAll(text, a.conf.Paths.Home+"/.local/share", "home")
}

func TestOpenInstalledApps(t *testing.T) {
	a := onDesktop(t, "evince")
	const (
		usr, home = "usr/applications/", "home/applications/"
		flatpak   = "flatpak/applications/"
		firefoxes = "Firefox (" + flatpak + "org.mozilla.firefox.desktop) | Firefox Web Browser (snap/applications/firefox_firefox.desktop)"
	)
	tests := []struct{ words, want string }{
		{"open clocks", "Start Clocks (" + home + "org.gnome.clocks.desktop)"}, // the user's file comes first
		{"открой часы", "Запустить «Часы» (" + home + "org.gnome.clocks.desktop)"},
		{"open document viewer", "Start Document Viewer (" + usr + "org.gnome.Evince.desktop)"},
		{"открой просмотр документов", "Запустить «Просмотр документов» (" + usr + "org.gnome.Evince.desktop)"},
		{"open evince", "Start Document Viewer (" + usr + "org.gnome.Evince.desktop)"}, // the name of its program
		{"запусти погоду", "Запустить «Погода» (" + flatpak + "org.gnome.Weather.desktop)"},
		{"open libreoffice writer", "Start LibreOffice Writer (" + usr + "libreoffice-writer.desktop)"},
		{"открой текстовый процессор", "Запустить «LibreOffice Writer» (" + usr + "libreoffice-writer.desktop)"}, // what kind of app it is
		{"открой научный калькулятор", "Запустить «KCalc» (" + usr + "org.kde.kcalc.desktop)"},
		{"open kmines", "Start KMines (" + usr + "kde4/kmines.desktop)"},
		{"открой игру сапёр", "Запустить «KMines» (" + usr + "kde4/kmines.desktop)"},
		{"open my notes", "Start My Notes (" + home + "chrome-notes-Default.desktop)"},
		{"open old game", "Start Old Game (" + home + "wine-Programs-Old Game.desktop)"},
		{"open run backup", "Start Run Backup (" + home + "backup-run.desktop), which runs: sh -c 'rsync -a $HOME/Documents /mnt/backup && notify-send Done'"},
		{"open process viewer", "Start Htop (" + usr + "htop.desktop)"},
		{"open clocks and youtube", "Start Clocks (" + home + "org.gnome.clocks.desktop) | Open https://youtube.com/"},

		// Apps of the catalogue none of whose programs is here.
		{"open calculator", "Start Calculator (" + usr + "org.gnome.Calculator.desktop)"},
		{"открой калькулятор", "Запустить «Калькулятор» (" + usr + "org.gnome.Calculator.desktop)"},
		{"open gimp", "Start GNU Image Manipulation Program (" + flatpak + "org.gimp.GIMP.desktop)"},
		{"запусти гимп", "Запустить «Редактор изображений GIMP» (" + flatpak + "org.gimp.GIMP.desktop)"},
		{"open firefox", "Start Firefox (" + flatpak + "org.mozilla.firefox.desktop)"},
		{"open web browser", firefoxes},
		{"open steam", "Start Steam"}, // not installed at all

		// No names of what is here.
		{"open libreoffice calc", `LibreOffice | Search the web for "libreoffice calc"`}, // the user deleted it
		{"open archive mounter", `Search the web for "archive mounter"`},                 // not in menus
		{"open removed player", `Search the web for "removed player"`},
		{"open nextcloud desktop", `Search the web for "nextcloud desktop"`},
		{"open weathr", `Weather (` + flatpak + `org.gnome.Weather.desktop) | Search the web for "weathr" | Open weathr.com`},
	}
	for _, tt := range tests {
		t.Run(tt.words, func(t *testing.T) {
			if got := planned(t, a, tt.words, nil); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.words, got, tt.want)
			}
		})
	}
	if got := planned(t, a, "open web browser", map[string]string{"app": "firefox_firefox.desktop"}); !strings.HasPrefix(got, "Start Firefox Web Browser (snap") {
		t.Errorf("the answered question: %s", got)
	}
}

// TestInstalledProgramOfTheCatalogue: a program of the catalogue that is here is started as before.
func TestInstalledProgramOfTheCatalogue(t *testing.T) {
	a := onDesktop(t, "kcalc", "firefox")
	for words, want := range map[string]string{"open calculator": "Start Calculator", "open firefox": "Start Firefox"} {
		if got := planned(t, a, words, nil); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

// TestInstalledAppsAreReadLazily: no .desktop file is read for words that need none.
func TestInstalledAppsAreReadLazily(t *testing.T) {
	a := onDesktop(t, "gnome-calculator")
	for _, words := range []string{
		"open youtube and search nvidia", "open calculator", "search for clocks", "create folder Reports in documents", "what time is it",
		"open github.com", "открой ютуб и найди котов", "open my downloads",
	} {
		a.Interpret(words)
	}
	if !a.installed.readAt.IsZero() {
		t.Error("the installed apps were read")
	}
	if a.Interpret("open clocks"); a.installed.readAt.IsZero() {
		t.Error("they were never read")
	}
}

// TestHostileEntries: an entry is shown as it is, and another one does not take its place unseen.
func TestHostileEntries(t *testing.T) {
	a, home := opened(t, Options{})
	write := func(id, text string) {
		file := filepath.Join(home, ".local/share/applications", id)
		must.Succeed(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Succeed(t, os.WriteFile(file, []byte("[Desktop Entry]\nType=Application\n"+text), 0o600))
	}
	write("orrery.desktop", "Name=Orrery\nExec=orrery\n")
	write("fake.desktop", "Name=Or\u200brery\nExec=rm -rf /\n")               // an invisible letter
	write("alike.desktop", "Name=Оrrery\nExec=rm -rf /\n")                    // a Cyrillic О
	write("lines.desktop", "Name=Planet\\nStart Orrery\\t(x)\nExec=planet\n") // two lines
	got := planned(t, a, "open orrery", nil)
	for _, file := range []string{"home/applications/orrery.desktop", "home/applications/fake.desktop"} {
		if !strings.Contains(got, "("+file+")") {
			t.Errorf("%s is not in %q", file, got)
		}
	}
	if strings.Contains(got, "alike.desktop") {
		t.Errorf("the look-alike is offered: %q", got)
	}
	if got := planned(t, a, "open planet start orrery x", nil); got != "Start Planet Start Orrery (x) (home/applications/lines.desktop)" {
		t.Errorf("two lines: %q", got)
	}
}

// TestRunOfInstalledApp: a run starts the app of the file that the plan names, and not one that came in between.
func TestRunOfInstalledApp(t *testing.T) {
	a, home := opened(t, Options{})
	out := filepath.Join(home, "started")
	program := filepath.Join(home, "orrery")
	must.Succeed(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >"+out+"\n"), 0o700))
	withApp("orrery.desktop", "Orrery")(t, home)
	file := filepath.Join(home, ".local/share/applications/orrery.desktop")
	must.Succeed(t, os.WriteFile(file, []byte("[Desktop Entry]\nType=Application\nName=Orrery\nExec="+program+" --title %c %U\n"), 0o600))
	report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open orrery"})
	must.Succeed(t, err)
	if got := strings.TrimSpace(string(must.ReadFile(t, out))); report.Error != nil || got != "--title Orrery" {
		t.Errorf("started with %q, error %v", got, report.Error)
	}
	step := report.Steps[0]
	if want := fmt.Sprint(map[string]any{"app_name": "orrery.desktop", "desktop_file": file}); fmt.Sprint(step.Args) != want {
		t.Errorf("arguments %v, want %s", step.Args, want)
	}
	if found := a.installed.find(installed.Lookup{ID: "orrery.desktop"}); len(found.Exact) != 1 {
		t.Errorf("found by its id: %+v", found)
	}
}

// TestInstalledAppInGrantedFolder: tools can't make an app that a goal starts.
func TestInstalledAppInGrantedFolder(t *testing.T) {
	tests := []struct{ name, roots, exec, fault string }{
		{"in no granted folder", "~/Documents", "true", ""},
		{"the file", "~/.local/share/applications", "true", ".local/share/applications/orrery.desktop"},
		{"what a shell runs", "~/Documents", "sh HOME/Documents/run.sh", "Documents/run.sh"},
		{"what env runs", "~/Documents", "env A=1 HOME/Documents/run.sh", "Documents/run.sh"},
		{"the program", "~/Documents", "HOME/Documents/run.sh", "Documents/run.sh"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, home := opened(t, Options{}, "ERRAND_FILES_ROOTS="+tt.roots)
			withApp("orrery.desktop", "Orrery")(t, home)
			program := filepath.Join(home, "Documents/run.sh")
			must.Succeed(t, os.MkdirAll(filepath.Dir(program), 0o755))
			must.Succeed(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700))
			file := filepath.Join(home, ".local/share/applications/orrery.desktop")
			text := "[Desktop Entry]\nType=Application\nName=Orrery\nExec=" + strings.ReplaceAll(tt.exec, "HOME", home) + "\n"
			must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
			report, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open orrery"})
			must.Succeed(t, err)
			switch {
			case tt.fault == "" && report.Error != nil:
				t.Errorf("error %v", report.Error)
			case tt.fault != "" && (report.Error == nil || !strings.Contains(i18n.English().Text(report.Error.Message), tt.fault)):
				t.Errorf("error %v, want one about %s", report.Error, tt.fault)
			}
		})
	}
}
