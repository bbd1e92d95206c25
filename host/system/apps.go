package system

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shirou/gopsutil/v4/process"
)

// wrappers start another program and then say nothing of an app themselves.
var wrappers = []string{"flatpak", "snap", "env", "gtk-launch", "xdg-open", "gio", "cmd", "explorer", "rundll32", "sh", "bash", "python3"}

// otherNames are programs that run under another name than the one that
// starts them, and that no rule of programs derives.
var otherNames = map[string]string{
	"microsoft-edge": "msedge",
	"libreoffice":    "soffice.bin",
	"telegram":       "telegram-desktop",
}

// programs lists, in lower case, the process names by which the app may be
// known: its id, its executables, and these without the words that vendors'
// start scripts add ("google-chrome-stable" runs "chrome").
func (a App) programs() []string {
	names := []string{strings.ToLower(a.ID)}
	for _, argv := range a.Exec {
		if len(argv) == 0 {
			continue
		}
		name := program(argv[0])
		if name == "open" && len(argv) > 2 && argv[1] == "-a" { // macOS
			name = program(argv[2])
		}
		if slices.Contains(wrappers, name) {
			continue
		}
		bare := name
		for _, suffix := range []string{"-stable", "-beta", "-browser", "-esr"} {
			bare = strings.TrimSuffix(bare, suffix)
		}
		names = append(names, name, bare, strings.TrimPrefix(bare, "google-"))
		if other, ok := otherNames[bare]; ok {
			names = append(names, other)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// program is the name of an executable without folder and extension.
func program(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// index maps program names to the ids of the apps that they belong to. Where
// two apps claim a name, the one whose id it is has it, else the first.
func index(apps []App) map[string]string {
	byName := map[string]string{}
	for _, a := range apps {
		byName[strings.ToLower(a.ID)] = a.ID
	}
	for _, a := range apps {
		for _, name := range a.programs() {
			if _, taken := byName[name]; !taken {
				byName[name] = a.ID
			}
		}
	}
	return byName
}

// running lists the ids of the apps that have a process, sorted.
func running(ctx context.Context, byName map[string]string) ([]string, error) {
	pids, err := process.PidsWithContext(ctx)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, pid := range pids {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if id, ok := byName[processName(ctx, pid)]; ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
