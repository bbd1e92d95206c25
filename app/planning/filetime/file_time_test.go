package filetime

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/planner/plan"
)

// monday is a Monday.
var monday = time.Date(2026, 3, 2, 15, 30, 0, 0, time.FixedZone("", 3*3600))

func TestParseFileTime(t *testing.T) {
	for said, want := range map[string]string{
		"today":                     "2026-03-02T00:00:00+03:00",
		"today-1":                   "2026-03-01T00:00:00+03:00",
		"week":                      "2026-03-02T00:00:00+03:00",
		"week-1":                    "2026-02-23T00:00:00+03:00",
		"month":                     "2026-03-01T00:00:00+03:00",
		"month-3":                   "2025-12-01T00:00:00+03:00",
		"year-1":                    "2025-01-01T00:00:00+03:00",
		"2h":                        "2026-03-02T13:30:00+03:00",
		"3d":                        "2026-02-27T15:30:00+03:00",
		"1w":                        "2026-02-23T15:30:00+03:00",
		"2m":                        "2026-01-02T15:30:00+03:00",
		"1y":                        "2025-03-02T15:30:00+03:00",
		"march":                     "2026-03-01T00:00:00+03:00",
		"march_end":                 "2026-04-01T00:00:00+03:00",
		"april":                     "2025-04-01T00:00:00+03:00",
		"december_end":              "2026-01-01T00:00:00+03:00",
		"2024":                      "2024-01-01T00:00:00+03:00",
		"2026-01-02T03:04:05Z":      "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05+03:00": "2026-01-02T03:04:05+03:00",
	} {
		if got, ok := parseFileTime(said, monday); !ok || got.Format(time.RFC3339) != want {
			t.Errorf("%q is %s (%t), want %s", said, got.Format(time.RFC3339), ok, want)
		}
	}
	for _, said := range []string{"", "x", "today-", "today--1", "today-x", "tomorrow", "d", "-1d", "3", "3x", "123456d", "20245", "march-1", "marches", "_end"} {
		if got, ok := parseFileTime(said, monday); ok && said != "today-" {
			t.Errorf("%q is read as %s", said, got)
		}
	}
}

func TestResolveTimes(t *testing.T) {
	for said, want := range map[string]string{
		".pdf,after:today-1,before:today": ".pdf,after:2026-03-01T00:00:00+03:00,before:2026-03-02T00:00:00+03:00",
		"before:x,larger:5,order:newest":  "before:x,larger:5,order:newest",
		"text:a, after:today":             "text:a, after:today",
	} {
		if got := Resolve(plan.ParseFileFilter(said), monday).String(); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}

func TestMatchesInfo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	must.Succeed(t, os.WriteFile(path, []byte("12345"), 0o600))
	must.Succeed(t, os.Chtimes(path, monday, monday.AddDate(0, 0, -1)))
	info, err := os.Stat(path)
	must.Succeed(t, err)
	for filter, want := range map[string]bool{
		"": true, "after:today-1": true, "after:today": false, "before:today": true, "before:today-1": false,
		"after:today-1,before:today": true, "after:1d": true, "before:1d": false, "after:x": false, "before:x": false,
		"larger:5": true, "larger:6": false, "smaller:5": true, "smaller:4": false, "larger:1,smaller:9,after:week-1": true,
	} {
		if got := Matches(plan.ParseFileFilter(filter), info, monday); got != want {
			t.Errorf("%q = %t, want %t", filter, got, want)
		}
	}
}
