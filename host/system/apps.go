package system

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shirou/gopsutil/v4/process"
)

// wrappers are programs that start another program, so they don't identify an app.
var wrappers = []string{"flatpak", "snap", "env", "gtk-launch", "xdg-open", "gio", "cmd", "explorer", "rundll32", "sh", "bash", "python3"}

// IsWrapper reports whether a program, which may have a path, only starts another one.
func IsWrapper(path string) bool { return slices.Contains(wrappers, program(path)) }

// otherNames maps programs to the names of their processes where no rule can
// derive them.
var otherNames = map[string]string{
	"microsoft-edge": "msedge",
	"libreoffice":    "soffice.bin",
	"telegram":       "telegram-desktop",
}

// programs returns possible process names of the app in lower case: its id, its
// executables, and those without the suffixes of vendors' start scripts
// ("google-chrome-stable" runs "chrome").
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

// program returns the name of an executable without folder and extension.
func program(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// index maps program names to app ids. If two apps share a name, the app with that
// id wins, else the first.
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

// findRunning returns the sorted ids of the apps with a process.
func findRunning(ctx context.Context, byName map[string]string) ([]string, error) {
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
