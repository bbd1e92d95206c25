package schedule

import (
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/planner/moment"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	must.Succeed(t, err)
	return l
}

func TestFirst(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	now := time.Date(2026, 11, 30, 16, 0, 30, 0, berlin) // a Monday
	for when, want := range map[string]string{
		"in 20m": "2026-11-30 16:20:30", "in 2d": "2026-12-02 16:00:30", "in 2d 09:00": "2026-12-02 09:00:00",
		"at 09:00": "2026-12-01 09:00:00", "at 17:00": "2026-11-30 17:00:00", "at 09:00/21:00": "2026-11-30 21:00:00", "at 04:00/16:00": "2026-12-01 04:00:00",
		"today 21:00": "2026-11-30 21:00:00", "today 09:00": "over", "tomorrow 09:00": "2026-12-01 09:00:00", "mon 09:00": "2026-12-07 09:00:00", "mon 17:00": "2026-11-30 17:00:00",
		"fri 09:00": "2026-12-04 09:00:00", "+2d 12:00": "2026-12-02 12:00:00", "12-25 09:00": "2026-12-25 09:00:00", "03-03 09:00": "2027-03-03 09:00:00",
		"2027-03-03 10:00": "2027-03-03 10:00:00", "2020-03-03 10:00": "over", "02-29 09:00": "2027-02-28 09:00:00",
	} {
		w, err := moment.Parse(when)
		must.Succeed(t, err)
		got, err := First(w, now)
		if text := got.Format(time.DateTime); text != want && !(want == "over" && err != nil) {
			t.Errorf("%s: %s, %v, want %s", when, text, err, want)
		}
	}
}

// TestNext follows repeats across the days on which clocks change, and short months.
func TestNext(t *testing.T) {
	tests := []struct{ name, when, zone, after, want string }{
		{"put forward", "every day 09:00", "Europe/Berlin", "2026-03-28 09:00", "2026-03-29 09:00 +0200, 2026-03-30 09:00 +0200"},
		{"put back", "every day 09:00", "Europe/Berlin", "2026-10-24 09:00", "2026-10-25 09:00 +0100, 2026-10-26 09:00 +0100"},
		{"a time that the day lacks", "every day 02:30", "Europe/Berlin", "2026-03-28 02:30", "2026-03-29 03:30 +0200, 2026-03-30 02:30 +0200"},
		{"a time that the day has twice", "every day 02:30", "Europe/Berlin", "2026-10-24 02:30", "2026-10-25 02:30 +0200, 2026-10-26 02:30 +0100"},
		{"put forward in New York", "every day 02:30", "America/New_York", "2026-03-07 02:30", "2026-03-08 03:30 -0400, 2026-03-09 02:30 -0400"},
		{"put back in New York", "every day 01:30", "America/New_York", "2026-10-31 01:30", "2026-11-01 01:30 -0400, 2026-11-02 01:30 -0500"},
		{"a zone without changes", "every day 02:30", "Asia/Tokyo", "2026-03-28 02:30", "2026-03-29 02:30 +0900, 2026-03-30 02:30 +0900"},
		{"half an hour", "every day 02:15", "Australia/Lord_Howe", "2026-10-03 02:15", "2026-10-04 02:45 +1100, 2026-10-05 02:15 +1100"},
		{"midnight that the day lacks", "every day 00:00", "America/Santiago", "2026-09-05 00:00", "2026-09-06 01:00 -0300, 2026-09-07 00:00 -0300"},
		{"every 31st", "every month 31 09:00", "Europe/Berlin", "2027-01-31 09:00", "2027-02-28 09:00 +0100, 2027-03-31 09:00 +0200, 2027-04-30 09:00 +0200"},
		{"29 February", "every year 02-29 09:00", "Europe/Berlin", "2027-01-01 00:00", "2027-02-28 09:00 +0100, 2028-02-29 09:00 +0100, 2029-02-28 09:00 +0100"},
		{"weekdays", "every mon,fri 09:00", "Europe/Berlin", "2026-11-30 09:00", "2026-12-04 09:00 +0100, 2026-12-07 09:00 +0100"},
		{"every other day", "every 2d 09:00", "Europe/Berlin", "2026-03-27 09:00", "2026-03-29 09:00 +0200, 2026-03-31 09:00 +0200"},
		{"an hour", "every 1h", "Europe/Berlin", "2026-03-29 01:00", "2026-03-29 03:00 +0200, 2026-03-29 04:00 +0200"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := moment.Parse(tt.when)
			must.Succeed(t, err)
			after, err := time.ParseInLocation("2006-01-02 15:04", tt.after, zone(t, tt.zone))
			must.Succeed(t, err)
			begin := after
			var got []string
			for range strings.Count(tt.want, ",") + 1 {
				after = Next(w, after, begin)
				got = append(got, after.Format("2006-01-02 15:04 -0700"))
			}
			if all := strings.Join(got, ", "); all != tt.want {
				t.Errorf("%s\nwant %s", all, tt.want)
			}
		})
	}
}

// FuzzNext checks the laws of repeats in every zone: the moments strictly increase, none is left out, and
// the time of day stays.
func FuzzNext(f *testing.F) {
	zones := []*time.Location{}
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "America/Santiago", "UTC", "Africa/Casablanca"} {
		l, err := time.LoadLocation(name)
		if err != nil {
			f.Fatal(err)
		}
		zones = append(zones, l)
	}
	f.Add(int64(1774742400), uint16(150), uint8(0), uint8(0))
	f.Add(int64(1793000000), uint16(90), uint8(1), uint8(3))
	f.Fuzz(func(t *testing.T, seconds int64, minute uint16, place, kind uint8) {
		zone := zones[int(place)%len(zones)]
		at := moment.Clock(minute % (24 * 60))
		day := []string{"day", "mon,fri", "month 31", "year 02-29", "sat", "month 1"}[int(kind)%6]
		w := moment.When{Repeated: true, Day: day, Times: []moment.Clock{at}}
		after := time.Unix(seconds%4_000_000_000, 0).In(zone)
		begin := after
		for range 5 {
			next := Next(w, after, begin)
			if !next.After(after) {
				t.Fatalf("%s after %v is %v", w, after, next)
			}
			if between := Next(w, after.Add(next.Sub(after)/2), begin); !between.Equal(next) {
				t.Fatalf("%s after %v is %v, and from the middle %v", w, after, next, between)
			}
			year, month, date := next.Date()
			wall := time.Date(year, month, date, int(at)/60, int(at)%60, 0, 0, zone)
			got := moment.Clock(next.Hour()*60 + next.Minute())
			if exists := moment.Clock(wall.Hour()*60+wall.Minute()) == at; exists && got != at {
				t.Fatalf("%s after %v is %v: another time of day", w, after, next)
			}
			after = next
		}
	})
}
