package apps

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
)

func TestParse(t *testing.T) {
	const head = "[Desktop Entry]\nType=Application\n"
	tests := []struct {
		name, text string
		want       string // the name; "" = no entry
	}{
		{"plain", head + "Name=A\n", "A"},
		{"comments and blank lines first", "\n# a comment\n\n" + head + "Name=A\n", "A"},
		{"spaces around =", head + "Name =  A b\n", "A b"},
		{"CRLF", "[Desktop Entry]\r\nType=Application\r\nName=A\r\n", "A"},
		{"no line end", head + "Name=A", "A"},
		{"escapes", head + `Name=a\sb\\c\td\n`, `a b\c` + "\td"},
		{"other escapes stay", head + `Name=a\qb\`, `a\qb\`},
		{"the last of two", head + "Name=A\nName=B\n", "B"},
		{"another group first", "[Other]\nName=A\n" + head + "Name=B\n", ""},
		{"a key first", "Name=A\n" + head + "Name=B\n", ""},
		{"a key of an action", head + "[Desktop Action x]\nName=A\n", ""},
		{"the name after an action", head + "[Desktop Action x]\nExec=a\n[Desktop Entry]\nName=A\n", ""},
		{"no name", head + "Exec=a\n", ""},
		{"a link", "[Desktop Entry]\nType=Link\nName=A\nURL=https://example.com\n", ""},
		{"no type", "[Desktop Entry]\nName=A\n", ""},
		{"not UTF-8", head + "Name=\xff\xfe\n", ""},
		{"bad line", head + "nonsense\nName=A\n", "A"},
		{"empty", "", ""},
		{"only a header", "[Desktop Entry]\n", ""},
		{"byte order mark", "\ufeff" + head + "Name=A\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, ok := parse(tt.text, nil)
			if ok != (tt.want != "") || ok && e.Names[""] != tt.want {
				t.Errorf("parse = %q, %v; want %q", e.Names[""], ok, tt.want)
			}
		})
	}
}

func TestParseKeys(t *testing.T) {
	e, ok := parse(`[Desktop Entry]
Type=Application
Name=A
Name[ru]=Б
Name[ru_UA]=В
Name[de]=D
Keywords=one;two\;half; three ;;
Keywords[ru]=раз;
Exec=a "b\\\\c" %U
TryExec=a
Path=/srv
Terminal=true
DBusActivatable=true
Hidden=True
NoDisplay=false
OnlyShowIn=GNOME;KDE
X-Other[ru]=x
`, []string{"ru"})
	if !ok {
		t.Fatal("no entry")
	}
	want := Entry{
		Names: map[string]string{"": "A", "ru": "Б", "ru_UA": "В"}, GenericNames: map[string]string{},
		Keywords: map[string][]string{"": {"one", "two;half", "three"}, "ru": {"раз"}},
		Exec:     `a "b\\c" %U`, TryExec: "a", Folder: "/srv", Terminal: true, DBusActivatable: true, OnlyShowIn: []string{"GNOME", "KDE"},
	}
	if diff := cmp.Diff(want, e, cmp.AllowUnexported(Entry{})); diff != "" {
		t.Errorf("entry (-want +got):\n%s", diff)
	}
}

func TestLocales(t *testing.T) {
	for env, want := range map[string]string{
		"": "", "C": "", "C.UTF-8": "", "POSIX": "", "ru": "ru", "ru_RU": "ru_RU ru", "ru_RU.UTF-8": "ru_RU ru",
		"sr_RS.UTF-8@latin": "sr_RS@latin sr_RS sr@latin sr", "sr@latin": "sr@latin sr", "_RU": "", "@x": "",
	} {
		if got := strings.Join(locales(env), " "); got != want {
			t.Errorf("locales(%q) = %q, want %q", env, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	tests := []struct {
		name, exec string
		want       []string
		err        string
	}{
		{"plain", "a --b", []string{"a", "--b"}, ""},
		{"codes of files", "a %f %F --x %u %U", []string{"a", "--x"}, ""},
		{"code in an argument", "a --file=%f", []string{"a", "--file="}, ""},
		{"deprecated", "a %d %D %n %N %v %m b", []string{"a", "b"}, ""},
		{"icon, name and file", "a %i --caption %c -k %k", []string{"a", "--icon", "pic", "--caption", "The A", "-k", "/x/a.desktop"}, ""},
		{"percent", "a 100%% %%f", []string{"a", "100%", "%f"}, ""},
		{"quotes", `"/opt/my app/run" "a \"b\" \$c \\ \d" ''`, []string{"/opt/my app/run", `a "b" $c \ \d`, ""}, ""},
		{"a quote in a word", `a --name="b c"d`, []string{"a", "--name=b cd"}, ""},
		{"single quotes", `sh -c 'echo "$HOME" \n'`, []string{"sh", "-c", `echo "$HOME" \n`}, ""},
		{"backslash outside", `wine C:\\dir\\my\ app.exe`, []string{"wine", `C:\dir\my app.exe`}, ""},
		{"nothing is expanded", "a $HOME `id` ; rm * > x & ~", []string{"a", "$HOME", "`id`", ";", "rm", "*", ">", "x", "&", "~"}, ""},
		{"Flatpak", "/usr/bin/flatpak run --file-forwarding org.x @@u %U @@", []string{"/usr/bin/flatpak", "run", "--file-forwarding", "org.x", "@@u", "@@"}, ""},
		{"empty", " ", nil, "has no command"},
		{"only codes", "%U", nil, "names no program"},
		{"unknown code", "a %z", nil, "unknown field code %z"},
		{"lone percent", "a 5%", nil, "ends in a lone %"},
		{"open quote", `a "b`, nil, "is not closed"},
		{"open single quote", `a 'b`, nil, "is not closed"},
		{"assignment", "A=1 b", nil, "names no program"},
		{"relative path", "./run.sh", nil, "names no program"},
		{"empty program", `"" a`, nil, "names no program"},
		{"NUL", "a b\x00c", nil, "NUL"},
		{"many", "a" + strings.Repeat(" b", maxArguments), nil, "257 arguments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := Entry{Exec: tt.exec, Icon: "pic", File: "/x/a.desktop", Names: map[string]string{"": "The A"}}
			got, err := e.Command()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Command (-want +got):\n%s", diff)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(i18n.English().Error(err), tt.err) {
				t.Errorf("error = %v, want %q", err, tt.err)
			}
		})
	}
}

func TestCommandOfFiles(t *testing.T) {
	l := sample(t)
	for id, want := range map[string][]string{
		"org.kde.kcalc.desktop":          {"kcalc", "-qwindowtitle", "KCalc"},
		"kde4-kmines.desktop":            {"kmines", "-caption", "KMines", "--icon", "kmines"},
		"org.mozilla.firefox.desktop":    {"/usr/bin/flatpak", "run", "--branch=stable", "--arch=x86_64", "--command=firefox", "--file-forwarding", "org.mozilla.firefox", "@@u", "@@"},
		"wine-Programs-Old Game.desktop": {"env", "WINEPREFIX=/home/ann/.wine", "wine-stable", `C:\ProgramData\Old Game.lnk`},
		"backup-run.desktop":             {"sh", "-c", "rsync -a $HOME/Documents /mnt/backup && notify-send Done"},
	} {
		e, _ := l.Find(id)
		got, err := e.Command()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", id, err, diff)
		}
	}
}

func TestStartsShell(t *testing.T) {
	for argv, want := range map[string]bool{
		"sh -c x": true, "/bin/bash run": true, "env A=1 -i zsh": true, "/usr/bin/env fish": true, "env A=1 wine": false,
		"shotwell": false, "gnome-calculator": false, "flatpak run sh": false, "env": false, "": false,
	} {
		if got := StartsShell(strings.Fields(argv)); got != want {
			t.Errorf("StartsShell(%q) = %v", argv, got)
		}
	}
}

// FuzzParse: whatever a file says, reading ends, and a command has no code left of what it was
// made of.
func FuzzParse(f *testing.F) {
	f.Add("[Desktop Entry]\nType=Application\nName=A\nName[ru]=Б\nExec=a \"b c\" %U %i %c %k 100%%\nIcon=x\nKeywords=a;b\\;c;\n")
	f.Add("[Desktop Entry]\nType=Application\nName=A\nExec='a\\'\n")
	f.Add("#\n[Desktop Entry]\nName[=x\n=\n[\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, ok := parse(text, []string{"ru"})
		if !ok {
			return
		}
		if !e.Hidden && e.Names[""] == "" {
			t.Error("an entry without a name")
		}
		for _, name := range e.Names {
			if !utf8.ValidString(name) {
				t.Errorf("name %q", name)
			}
		}
		argv, err := e.Command()
		if err == nil && (len(argv) == 0 || argv[0] == "" || len(argv) > maxArguments || strings.Contains(strings.Join(argv, ""), "\x00")) {
			t.Errorf("command %q", argv)
		}
	})
}
