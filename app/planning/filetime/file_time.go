// Package filetime reads the times of filters for files, such as "week-1".
package filetime

import (
	"io/fs"
	"strconv"
	"strings"
	"time"

	"errand/planner/plan"
)

// parseFileTime reads a time of a [plan.FileFilter] in the time zone of now:
//
//   - "today", "week", "month" and "year" are the beginning of it; a week begins on Monday.
//     "week-1" is the beginning of the one before.
//   - "november" is the beginning of the last November that has begun, "november_end" its end.
//   - "3d" is three days before now; the units are h, d, w, m and y.
//   - "2024" is the beginning of a year.
//   - Anything else must be RFC 3339.
func parseFileTime(s string, now time.Time) (time.Time, bool) {
	if name, back, _ := strings.Cut(s, "-"); len(name) > 0 && name[0] >= 'a' {
		n := 0
		if back != "" {
			var err error
			if n, err = strconv.Atoi(back); err != nil || n < 0 {
				return time.Time{}, false
			}
		}
		return beginning(name, n, now)
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, true
	}
	if len(s) < 2 || len(s) > 6 {
		return time.Time{}, false
	}
	if year, err := strconv.Atoi(s); err == nil && len(s) == 4 {
		return time.Date(year, 1, 1, 0, 0, 0, 0, now.Location()), true
	}
	n, err := strconv.Atoi(s[:len(s)-1])
	if err != nil || n < 0 {
		return time.Time{}, false
	}
	switch s[len(s)-1] {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -n), true
	case 'w':
		return now.AddDate(0, 0, -7*n), true
	case 'm':
		return now.AddDate(0, -n, 0), true
	case 'y':
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}

// months are the names of months in a filter. "november" is the beginning of the last November that
// has begun, and "november_end" its end.
var months = func() map[string]time.Month {
	out := map[string]time.Month{}
	for m := time.January; m <= time.December; m++ {
		out[strings.ToLower(m.String())] = m
	}
	return out
}()

// beginning is the beginning of the day, week, month or year that is n before the one of now.
func beginning(name string, n int, now time.Time) (time.Time, bool) {
	y, m, d := now.Date()
	switch name {
	case "today":
		d -= n
	case "week":
		d -= (int(now.Weekday())+6)%7 + 7*n
	case "month":
		m, d = m-time.Month(n), 1
	case "year":
		y, m, d = y-n, 1, 1
	default:
		named, isEnd := strings.CutSuffix(name, "_end")
		month, ok := months[named]
		if !ok || n != 0 {
			return time.Time{}, false
		}
		if month > m {
			y-- // the last one that has begun
		}
		if m, d = month, 1; isEnd {
			m++
		}
	}
	return time.Date(y, m, d, 0, 0, 0, 0, now.Location()), true
}

// Resolve is a filter with the times that depend on now written as RFC 3339.
func Resolve(f plan.FileFilter, now time.Time) plan.FileFilter {
	for _, s := range []*string{&f.After, &f.Before} {
		if t, ok := parseFileTime(*s, now); ok {
			*s = t.Format(time.RFC3339)
		}
	}
	return f
}

// Matches reports whether a filter means a file by its time and its size. A time that
// can't be read means no file.
func Matches(f plan.FileFilter, info fs.FileInfo, now time.Time) bool {
	after, hasAfter := parseFileTime(f.After, now)
	before, hasBefore := parseFileTime(f.Before, now)
	switch {
	case f.After != "" && (!hasAfter || info.ModTime().Before(after)), f.Before != "" && (!hasBefore || !info.ModTime().Before(before)):
		return false
	}
	return info.Size() >= f.Larger && (f.Smaller == 0 || info.Size() <= f.Smaller)
}
