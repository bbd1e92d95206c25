package system

import (
	"testing"
	"time"

	"errand/build/must"
	"errand/host/tool"
)

func TestFindDay(t *testing.T) {
	for _, tt := range []struct{ today, name, want string }{
		{"2026-11-30", "12-25", "2026-12-25"},
		{"2026-12-25", "12-25", "2026-12-25"},
		{"2026-12-26", "12-25", "2027-12-25"},
		{"2026-11-30", "02-29", "2028-02-29"},
		{"2097-01-01", "02-29", "2104-02-29"},
		{"2026-11-30", "2020-05-09", "2020-05-09"},
		{"2026-11-30", "tomorrow", "2026-12-01"},
		{"2026-12-30", "+2d", "2027-01-01"},
		{"2026-11-30", "mon", "2026-11-30"},
		{"2026-11-30", "fri", "2026-12-04"},
		{"2026-11-30", "02-30", ""},
		{"2026-11-30", "someday", ""},
		{"2026-11-30", "+xd", ""},
	} {
		today, err := time.Parse(time.DateOnly, tt.today)
		must.Succeed(t, err)
		day, ok := findDay(today, tt.name)
		if got := day.Format(time.DateOnly); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("%s from %s: %s, %t; want %s", tt.name, tt.today, got, ok, tt.want)
		}
	}
}

// TestDayTools answer by the clock of the options: late in the evening here it is tomorrow in Tokyo.
func TestDayTools(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 30, 0, 0, time.UTC)
	tools := dayTools(Options{Now: func() time.Time { return now }})
	for _, tt := range []struct {
		tool      int
		args      map[string]any
		key, want any
	}{
		{0, map[string]any{"zone": "Asia/Tokyo"}, "time", "2026-12-01T08:30:00+09:00"},
		{0, map[string]any{"zone": "America/New_York"}, "time", "2026-11-30T18:30:00-05:00"},
		{0, map[string]any{"zone": "Local"}, "", "unknown_zone"},
		{0, map[string]any{"zone": "Mars/Base"}, "", "unknown_zone"},
		{1, map[string]any{"days": "12-25"}, "days", 25.0},
		{1, map[string]any{"days": "2026-11-20"}, "days", -10.0},
		{1, map[string]any{"weekday": "05-05"}, "weekday", "Wednesday"},
		{1, map[string]any{"weekday": "31-31"}, "", "unknown_day"},
	} {
		r, err := tools[tt.tool].Call(t.Context(), tool.Call{Args: tt.args})
		must.Succeed(t, err)
		if r.Error != nil {
			if r.Error.Code != tt.want {
				t.Errorf("%v: %s, want %v", tt.args, r.Error.Code, tt.want)
			}
			continue
		}
		if got := r.Payload.(map[string]any)[tt.key.(string)]; got != tt.want {
			t.Errorf("%v: %v, want %v", tt.args, got, tt.want)
		}
	}
}
