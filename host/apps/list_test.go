package apps

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
)

// sample is a desktop with the files in testdata: the folders of a user, of Flatpak, of the system and
// of Snap.
func sample(tb testing.TB, desktops ...string) List {
	tb.Helper()
	l := List{Languages: []string{"en", "ru"}, LookPath: func(name string) (string, error) {
		if name == "removed-player" {
			return "", errors.New("not found")
		}
		return "/usr/bin/" + name, nil
	}}
	l.Desktops = desktops
	for _, folder := range []string{"home", "flatpak", "usr", "snap"} {
		path, err := filepath.Abs(filepath.Join("testdata/share", folder))
		must.Succeed(tb, err)
		l.Folders = append(l.Folders, path)
	}
	return l
}

func ids(entries []Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.ID)
	}
	return out
}

func TestReadShown(t *testing.T) {
	everywhere := []string{
		"backup-run.desktop", "chrome-notes-Default.desktop", "firefox_firefox.desktop", "htop.desktop", "kde4-kmines.desktop",
		"libreoffice-writer.desktop", "org.gimp.GIMP.desktop", "org.gnome.Calculator.desktop", "org.gnome.Evince.desktop",
		"org.gnome.Nautilus.desktop", "org.gnome.Weather.desktop", "org.gnome.clocks.desktop", "org.kde.kcalc.desktop",
		"org.mozilla.firefox.desktop", "wine-Programs-Old Game.desktop",
	}
	tests := []struct {
		name    string
		desktop []string
		more    []string
	}{
		{"no desktop", nil, []string{"nm-connection-editor.desktop", "org.kde.okular.desktop"}},
		{"GNOME", []string{"ubuntu", "GNOME"}, []string{"org.gnome.Settings.desktop", "org.kde.okular.desktop"}},
		{"KDE", []string{"KDE"}, []string{"org.kde.okular.desktop"}},
		{"LXQt", []string{"LXQt"}, []string{"nm-connection-editor.desktop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ids(sample(t, tt.desktop...).ReadShown())
			slices.Sort(got)
			want := append(slices.Clone(everywhere), tt.more...)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFind(t *testing.T) {
	l := sample(t)
	tests := []struct{ id, file string }{
		{"org.gnome.clocks.desktop", "home/applications/org.gnome.clocks.desktop"}, // before the system's
		{"kde4-kmines.desktop", "usr/applications/kde4/kmines.desktop"},
		{"org.gnome.Weather.desktop", "flatpak/applications/org.gnome.Weather.desktop"},
		{"firefox_firefox.desktop", "snap/applications/firefox_firefox.desktop"},
		{"mimeinfo-handler.desktop", "usr/applications/mimeinfo-handler.desktop"}, // not in menus
		{"libreoffice-calc.desktop", ""},                                          // the user deleted it
		{"removed-player.desktop", ""},                                            // its TryExec is missing
		{"org.gnome.Calculator", ""},
		{"org.gnome.calculator.desktop", ""},
		{"../home/applications/org.gnome.clocks.desktop", ""},
		{"kde4/kmines.desktop", ""},
		{"..-home-applications-org.gnome.clocks.desktop", ""},
		{"kde4-..-org.kde.kcalc.desktop", ""},
		{".desktop", ""},
		{"", ""},
		{strings.Repeat("a-", 200) + ".desktop", ""},
	}
	for _, tt := range tests {
		e, ok := l.Find(tt.id)
		if ok != (tt.file != "") || ok && (!strings.HasSuffix(e.File, "testdata/share/"+tt.file) || e.ID != tt.id) {
			t.Errorf("Find(%q) = %q, %q, %v; want %q", tt.id, e.ID, e.File, ok, tt.file)
		}
	}
	for _, e := range l.ReadShown() {
		if found, ok := l.Find(e.ID); !ok || found.File != e.File {
			t.Errorf("Find(%q) = %q, %v; the list has %q", e.ID, found.File, ok, e.File)
		}
	}
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	must.Succeed(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Succeed(tb, os.WriteFile(path, []byte(text), 0o644))
}

const small = "[Desktop Entry]\nType=Application\nName=A\nExec=a\n"

// TestHostileFolders: links that lead back, what is no file, and files that are too large are left out.
func TestHostileFolders(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, "applications")
	write(t, filepath.Join(folder, "good.desktop"), small)
	write(t, filepath.Join(folder, "sub/deep/below.desktop"), small)
	write(t, filepath.Join(folder, "huge.desktop"), small+"X-Fill="+strings.Repeat("x", maxSize))
	write(t, filepath.Join(folder, ".hidden.desktop"), small)
	write(t, filepath.Join(folder, "a/b/c/d/e/too-deep.desktop"), small)
	must.Succeed(t, os.MkdirAll(filepath.Join(folder, "folder.desktop"), 0o755))
	must.Succeed(t, os.Symlink("loop.desktop", filepath.Join(folder, "loop.desktop")))
	must.Succeed(t, os.Symlink("/dev/zero", filepath.Join(folder, "zero.desktop")))
	must.Succeed(t, os.Symlink(".", filepath.Join(folder, "self")))
	must.Succeed(t, os.Symlink("..", filepath.Join(folder, "sub/up")))
	must.Succeed(t, os.Symlink("good.desktop", filepath.Join(folder, "link.desktop"))) // as Flatpak exports
	l := List{Environment: Environment{Folders: []string{home}}}
	got := ids(l.ReadShown())
	slices.Sort(got)
	if diff := cmp.Diff([]string{"good.desktop", "link.desktop", "sub-deep-below.desktop"}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for _, id := range []string{"huge.desktop", "loop.desktop", "zero.desktop", "folder.desktop", "a-b-c-d-e-too-deep.desktop", ".hidden.desktop"} {
		if e, ok := l.Find(id); ok {
			t.Errorf("Find(%q) = %+v", id, e)
		}
	}
}

// TestManyFiles: no more files are read than the bound allows.
func TestManyFiles(t *testing.T) {
	home := t.TempDir()
	for i := range maxFiles + 50 {
		write(t, filepath.Join(home, "applications", "a"+strings.Repeat("x", i%40)+string(rune('a'+i/40%26))+strings.Repeat("y", i/1040)+".desktop"), small)
	}
	if n := len((List{Environment: Environment{Folders: []string{home}}}).ReadShown()); n > maxFiles {
		t.Errorf("%d entries, at most %d", n, maxFiles)
	}
}

func TestReadEnvironment(t *testing.T) {
	const flatpak, snap = "/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"
	tests := []struct {
		name    string
		env     map[string]string
		folders []string
		locale  string
	}{
		{"nothing", map[string]string{}, []string{flatpak, "/usr/local/share", "/usr/share", snap}, ""},
		{"home", map[string]string{"HOME": "/home/ann", "LANG": "ru_RU.UTF-8"}, []string{
			"/home/ann/.local/share", "/home/ann/.local/share/flatpak/exports/share", flatpak, "/usr/local/share", "/usr/share", snap,
		}, "ru_RU.UTF-8"},
		{"all set", map[string]string{
			"HOME": "/home/ann", "XDG_DATA_HOME": "/data", "LC_MESSAGES": "de_DE", "LC_ALL": "ru",
			"XDG_DATA_DIRS": "/data/flatpak/exports/share/:" + flatpak + ":/usr/share/gnome:relative:/usr/share/:" + snap,
		}, []string{"/data", "/data/flatpak/exports/share", flatpak, "/usr/share/gnome", "/usr/share", snap}, "ru"},
		{"relative home", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "data", "XDG_DATA_DIRS": "/usr/share"}, []string{
			"/h/.local/share", "/h/.local/share/flatpak/exports/share", flatpak, "/usr/share", snap,
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := ReadEnvironment(func(name string) string { return tt.env[name] })
			if diff := cmp.Diff(tt.folders, env.Folders); diff != "" || env.Locale != tt.locale {
				t.Errorf("locale %q, folders (-want +got):\n%s", env.Locale, diff)
			}
		})
	}
	env := ReadEnvironment(func(name string) string {
		return map[string]string{"XDG_CURRENT_DESKTOP": "ubuntu:GNOME"}[name]
	})
	if diff := cmp.Diff([]string{"ubuntu", "GNOME"}, env.Desktops); diff != "" {
		t.Error(diff)
	}
}

func TestNames(t *testing.T) {
	e, _ := sample(t).Find("org.gnome.Evince.desktop")
	for locale, want := range map[string]string{"": "Document Viewer", "en": "Document Viewer", "ru": "Просмотр документов", "ru_RU.UTF-8": "Просмотр документов", "C.UTF-8": "Document Viewer", "fr": "Document Viewer"} {
		if got := e.Name(locale); got != want {
			t.Errorf("Name(%q) = %q, want %q", locale, got, want)
		}
	}
	if got := slices.Sorted(maps.Keys(e.Names)); !slices.Equal(got, []string{"", "ru"}) {
		t.Errorf("locales kept: %q", got)
	}
}

func BenchmarkReadShown(b *testing.B) {
	home := b.TempDir()
	text := small
	for _, locale := range strings.Fields(strings.Repeat("af ar be bg ca cs da de el es et eu fi fr ru uk ", 6)) {
		text += "Name[" + locale + "]=A name\nComment[" + locale + "]=What it does, in a sentence of some words\n"
	}
	for i := range 200 {
		write(b, filepath.Join(home, "applications", strings.Repeat("a", i%20+1)+string(rune('a'+i/20))+".desktop"), text)
	}
	l := List{Environment: Environment{Folders: []string{home}}, Languages: []string{"en", "ru"}}
	for b.Loop() {
		if n := len(l.ReadShown()); n != 200 {
			b.Fatal(n)
		}
	}
}
