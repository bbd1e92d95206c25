package system

import (
	"context"
	"testing"

	"errand/host/tool"
)

// catalogue is a small one whose apps are real programs of any machine.
func catalogue(t *testing.T) Options {
	t.Helper()
	apps := map[string][][]string{
		"sleeper": {{"no-such-sleeper"}, {"sleep", "60"}},
		"done":    {{"true"}},
		"failing": {{"false"}},
		"missing": {{"no-such-program"}, {"/nowhere/other", "--flag"}},
		"chrome":  {{"sleep", "60"}},
		"nothing": {},
	}
	return Options{
		App:     func(id string) ([][]string, bool) { a, ok := apps[id]; return a, ok },
		Browser: func(id string) bool { return id == "chrome" },
		OpenURL: func(_ context.Context, url string) (tool.Result, error) {
			return tool.OK(map[string]any{"opened": url}), nil
		},
	}
}

func call(t *testing.T, o Options, name string, args map[string]any) tool.Result {
	t.Helper()
	for _, tl := range Tools(o) {
		if tl.Spec().Name == name {
			res, err := tl.Call(t.Context(), tool.Call{Tool: name, Args: args})
			if err != nil {
				t.Fatalf("Call: %v", err)
			}
			return res
		}
	}
	t.Fatalf("no tool %s", name)
	return tool.Result{}
}
