package system

import (
	"context"
	"slices"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
)

// desktopWait limits the requests to the window system. They take a millisecond; a
// display that hangs must not delay planning.
const desktopWait = 30 * time.Millisecond

// Snapshot returns which apps of the catalogue run, whether one of them is a
// browser, and which one is in front. The caller adds the browser's page and
// recent facts from its memory.
//
// ActiveWindow is "" if the front window does not belong to the catalogue or is
// unknown (Wayland, no display). The only possible error is a failure to read the
// process list.
func Snapshot(ctx context.Context, apps []App) (plan.World, error) {
	byName := index(apps)
	ids, err := findRunning(ctx, byName)
	if err != nil {
		return plan.World{}, err
	}
	world := plan.World{RunningApps: ids, RecentFacts: []string{}}
	for _, a := range apps {
		world.BrowserRunning = world.BrowserRunning || a.Browser && slices.Contains(ids, a.ID)
	}
	if windows := desktop(ctx); windows.front >= 0 {
		world.ActiveWindow = windows.list[windows.front].app(ctx, byName)
	}
	return world, nil
}

// window is a top-level window with its process and class.
type window struct {
	id       uint32
	pid      int32 // 0 if unknown
	instance string
	class    string
}

// windows are the top-level windows. front is -1 if unknown.
type windows struct {
	list  []window
	front int
}

// app returns the catalogue id of the window's app, or "". The process is more
// reliable than the class, which programs choose freely.
func (w window) app(ctx context.Context, byName map[string]string) string {
	names := []string{w.class, w.instance}
	if w.pid > 0 {
		names = append([]string{processName(ctx, w.pid)}, names...)
	}
	for _, name := range names {
		if id, ok := byName[program(name)]; ok && name != "" {
			return id
		}
	}
	return ""
}

// name returns the window's name in a list.
func (w window) name() string {
	if w.class != "" {
		return w.class
	}
	return w.instance
}

func runningApps(ctx context.Context, o Options) (map[string]any, error) {
	byName := index(o.Apps())
	ids, err := findRunning(ctx, byName)
	if err != nil {
		return nil, err
	}
	apps, programs := []any{}, []any{}
	names := slices.Clone(ids)
	for _, id := range ids {
		apps = append(apps, id)
	}
	// Other programs with a window, by class. A title would reveal what the user
	// is reading.
	var others []string
	for _, w := range desktop(ctx).list {
		if w.app(ctx, byName) == "" && w.name() != "" {
			others = append(others, w.name())
		}
	}
	slices.Sort(others)
	for _, name := range slices.Compact(others) {
		programs = append(programs, name)
		names = append(names, name)
	}
	text := message.New("answer.machine_apps", "names", names)
	if len(names) == 0 {
		text = message.New("answer.machine_no_apps")
	}
	return map[string]any{"apps": apps, "other_programs": programs, "text": text.PlainValue()}, nil
}

// installedApps lists the names of the apps that can be started.
func installedApps(_ context.Context, o Options) (map[string]any, error) {
	var names []string
	apps := []any{}
	if o.AppNames != nil {
		names = o.AppNames()
	}
	for _, name := range names {
		apps = append(apps, name)
	}
	return map[string]any{"apps": apps, "text": message.New("answer.machine_installed", "names", names).PlainValue()}, nil
}
