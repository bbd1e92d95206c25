package system

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/planner/message"
)

// Every target is asked of the machine that the test runs on.
func TestEveryTargetIsAnswered(t *testing.T) {
	for _, target := range Targets() {
		t.Run(target, func(t *testing.T) {
			res := call(t, Options{}, QueryName, map[string]any{"target": target})
			if !res.OK {
				t.Fatalf("error = %+v", res.Error)
			}
			payload, ok := res.Payload.(map[string]any)
			if !ok || payload["target"] != target {
				t.Fatalf("payload = %#v", res.Payload)
			}
			text := i18n.English().Text(message.FromPlain(payload["text"]))
			if text == "" || strings.Contains(text, "%!") || strings.Contains(text, "NaN") {
				t.Errorf("text = %q", text)
			}
			b := must.JSON(t, payload)
			var back any
			must.Succeed(t, json.Unmarshal(b, &back))
			if diff := cmp.Diff(back, res.Payload); diff != "" {
				t.Errorf("the payload is not plain JSON (-JSON +payload):\n%s", diff)
			}
		})
	}
}

func TestFiguresAreSane(t *testing.T) {
	disk := call(t, Options{}, QueryName, map[string]any{"target": "disk"}).Payload.(map[string]any)
	if disk["total_bytes"].(float64) < disk["free_bytes"].(float64) || disk["total_bytes"].(float64) <= 0 {
		t.Errorf("disk = %v", disk)
	}
	memory := call(t, Options{}, QueryName, map[string]any{"target": "memory"}).Payload.(map[string]any)
	if p := memory["used_percent"].(float64); p <= 0 || p > 100 {
		t.Errorf("memory = %v", memory)
	}
	cpu := call(t, Options{}, QueryName, map[string]any{"target": "cpu"}).Payload.(map[string]any)
	if p := cpu["used_percent"].(float64); p < 0 || p > 100 || cpu["cores"].(float64) < 1 {
		t.Errorf("cpu = %v", cpu)
	}
}

func TestClock(t *testing.T) {
	o := Options{Now: func() time.Time {
		return time.Date(2026, 11, 27, 14, 5, 9, 0, time.FixedZone("CET", 3600))
	}}
	tests := []struct {
		target string
		want   map[string]any
		en, ru string
	}{
		{"time", map[string]any{"target": "time", "time": "2026-11-27T14:05:09+01:00", "zone": "CET", "utc_offset_minutes": 60.0, "text": message.New("answer.machine_time", "time", "2026-11-27T14:05:09+01:00").PlainValue()}, "It is 14:05.", "Сейчас 14:05."},
		{"date", map[string]any{"target": "date", "date": "2026-11-27", "weekday": "Friday", "iso_week": 48.0, "text": message.New("answer.machine_date", "date", "2026-11-27").PlainValue()}, "It is Friday, 27 November 2026.", "Сегодня пятница, 27 ноября 2026 года."},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			if diff := cmp.Diff(tool.OK(tt.want), call(t, o, QueryName, map[string]any{"target": tt.target})); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			for tag, want := range map[string]string{"en": tt.en, "ru": tt.ru} {
				if got := i18n.ForTag(tag).Text(message.FromPlain(tt.want["text"])); got != want {
					t.Errorf("in %s: %q, want %q", tag, got, want)
				}
			}
		})
	}
}

func TestUnknownTarget(t *testing.T) {
	for _, args := range []map[string]any{{"target": "weather"}, {}, {"target": 3.0}} {
		res := call(t, Options{}, QueryName, args)
		if res.Error == nil || res.Error.Class != tool.ValidationError || !strings.Contains(i18n.English().Text(res.Error.Message), "battery") {
			t.Errorf("%v: error = %+v, want one that lists the targets", args, res.Error)
		}
	}
}

func TestPowerSupply(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s + "\n")} }
	tests := []struct {
		name string
		dir  fstest.MapFS
		want map[string]any
	}{
		{
			"no battery",
			fstest.MapFS{"AC/type": file("Mains"), "AC/online": file("1")},
			map[string]any{"known": true, "present": false, "text": message.New("answer.machine_no_battery").PlainValue()},
		},
		{
			"no supplies at all", nil,
			map[string]any{"known": true, "present": false, "text": message.New("answer.machine_no_battery").PlainValue()},
		},
		{"discharging", fstest.MapFS{
			"AC/type": file("Mains"), "AC/online": file("0"),
			"BAT0/type": file("Battery"), "BAT0/present": file("1"), "BAT0/status": file("Discharging"), "BAT0/capacity": file("80"),
			"BAT0/energy_now": file("40000000"), "BAT0/energy_full": file("50000000"), "BAT0/power_now": file("10000000"),
		}, map[string]any{
			"known": true, "present": true, "percent": 80.0, "charging": false, "plugged_in": false, "remaining_minutes": 240.0,
			"text": message.New("answer.machine_battery_left", "percent", 80, "span", message.New("answer.machine_hours", "hours", 4, "minutes", 0)).PlainValue(),
		}},
		{"two, one charging", fstest.MapFS{
			"BAT0/type": file("Battery"), "BAT0/status": file("Charging"), "BAT0/charge_now": file("1000"), "BAT0/charge_full": file("4000"),
			"BAT1/type": file("Battery"), "BAT1/status": file("Full"), "BAT1/charge_now": file("4000"), "BAT1/charge_full": file("4000"),
		}, map[string]any{"known": true, "present": true, "percent": 62.5, "charging": true, "plugged_in": true, "text": message.New("answer.machine_battery_charging", "percent", 62).PlainValue()}},
		{
			"a mouse's battery is not ours",
			fstest.MapFS{"hid/type": file("Battery"), "hid/scope": file("Device"), "hid/capacity": file("50")},
			map[string]any{"known": true, "present": false, "text": message.New("answer.machine_no_battery").PlainValue()},
		},
		{
			"capacity alone",
			fstest.MapFS{"BAT0/type": file("Battery"), "BAT0/capacity": file("33"), "BAT0/status": file("Discharging")},
			map[string]any{"known": true, "present": true, "percent": 33.0, "charging": false, "plugged_in": false, "text": message.New("answer.machine_battery", "percent", 33).PlainValue()},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := powerSupply(tt.dir)
			must.Succeed(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("battery (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpan(t *testing.T) {
	spans := map[time.Duration]string{time.Minute: "1 minute", 61 * time.Minute: "1 hour, 1 minute", 49 * time.Hour: "2 days, 1 hour"}
	for d, want := range spans {
		if got := i18n.English().Text(span(d)); got != want {
			t.Errorf("span(%v) = %q, want %q", d, got, want)
		}
	}
}

// TestRussianDate: weekdays and months have words in every language.
func TestRussianDate(t *testing.T) {
	now := time.Date(2026, 11, 27, 14, 5, 9, 0, time.UTC)
	day, err := date(t.Context(), Options{Now: func() time.Time { return now }})
	must.Succeed(t, err)
	for language, want := range map[string]string{"en": "It is Friday, 27 November 2026.", "ru": "Сегодня пятница, 27 ноября 2026 года."} {
		if got := i18n.ForTag(language).Text(message.FromPlain(day["text"])); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
}
