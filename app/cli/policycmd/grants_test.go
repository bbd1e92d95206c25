package policycmd

import (
	"testing"
	"time"
)

func TestParseUntil(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.Local)
	for text, want := range map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(90 * time.Minute),
		"1h30m":                now.Add(90 * time.Minute),
		"1d":                   now.AddDate(0, 0, 1),
		"7d":                   now.AddDate(0, 0, 7),
		"2027-01-31":           time.Date(2027, 1, 31, 0, 0, 0, 0, time.Local),
		"2026-11-28 12:01":     now.Add(time.Minute),
		"2027-01-31T18:00:00Z": time.Date(2027, 1, 31, 18, 0, 0, 0, time.UTC),
	} {
		if got, err := parseUntil(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0d", "-1d", "07d", "7 d", "7d7d", "99999999d", "-1h", "0s", "tomorrow", "2026-11-28", "2026-11-28 12:00", "2020-01-01T00:00:00Z", "2027-13-01", "7"} {
		if got, err := parseUntil(text, now); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
