package system

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
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
			text, _ := payload["text"].(string)
			if text == "" || strings.Contains(text, "%!") || strings.Contains(text, "NaN") {
				t.Errorf("text = %q", text)
			}
			b, err := json.Marshal(payload)
			if err != nil {
				t.Fatal(err)
			}
			var back any
			if err := json.Unmarshal(b, &back); err != nil {
				t.Fatal(err)
			}
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
	}{
		{"time", map[string]any{"target": "time", "time": "2026-11-27T14:05:09+01:00", "zone": "CET", "utc_offset_minutes": 60.0, "text": "It is 14:05."}},
		{"date", map[string]any{"target": "date", "date": "2026-11-27", "weekday": "Friday", "iso_week": 48.0, "text": "It is Friday, 27 November 2026."}},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			if diff := cmp.Diff(tool.OK(tt.want), call(t, o, QueryName, map[string]any{"target": tt.target})); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownTarget(t *testing.T) {
	for _, args := range []map[string]any{{"target": "weather"}, {}, {"target": 3.0}} {
		res := call(t, Options{}, QueryName, args)
		if res.Error == nil || res.Error.Class != tool.ValidationError || !strings.Contains(res.Error.Message, "battery") {
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
			map[string]any{"known": true, "present": false, "text": "This machine has no battery."},
		},
		{
			"no supplies at all", nil,
			map[string]any{"known": true, "present": false, "text": "This machine has no battery."},
		},
		{"discharging", fstest.MapFS{
			"AC/type": file("Mains"), "AC/online": file("0"),
			"BAT0/type": file("Battery"), "BAT0/present": file("1"), "BAT0/status": file("Discharging"), "BAT0/capacity": file("80"),
			"BAT0/energy_now": file("40000000"), "BAT0/energy_full": file("50000000"), "BAT0/power_now": file("10000000"),
		}, map[string]any{
			"known": true, "present": true, "percent": 80.0, "charging": false, "plugged_in": false, "remaining_minutes": 240.0,
			"text": "The battery is at 80 %, about 4 hours, 0 minutes left.",
		}},
		{"two, one charging", fstest.MapFS{
			"BAT0/type": file("Battery"), "BAT0/status": file("Charging"), "BAT0/charge_now": file("1000"), "BAT0/charge_full": file("4000"),
			"BAT1/type": file("Battery"), "BAT1/status": file("Full"), "BAT1/charge_now": file("4000"), "BAT1/charge_full": file("4000"),
		}, map[string]any{"known": true, "present": true, "percent": 62.5, "charging": true, "plugged_in": true, "text": "The battery is at 62 %, charging."}},
		{
			"a mouse's battery is not ours",
			fstest.MapFS{"hid/type": file("Battery"), "hid/scope": file("Device"), "hid/capacity": file("50")},
			map[string]any{"known": true, "present": false, "text": "This machine has no battery."},
		},
		{
			"capacity alone",
			fstest.MapFS{"BAT0/type": file("Battery"), "BAT0/capacity": file("33"), "BAT0/status": file("Discharging")},
			map[string]any{"known": true, "present": true, "percent": 33.0, "charging": false, "plugged_in": false, "text": "The battery is at 33 %."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := powerSupply(tt.dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("battery (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSizeAndSpan(t *testing.T) {
	sizes := map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 5 << 30: "5.0 GiB", 1 << 63: "8.0 EiB"}
	for n, want := range sizes {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
	spans := map[time.Duration]string{time.Minute: "1 minute", 61 * time.Minute: "1 hour, 1 minute", 49 * time.Hour: "2 days, 1 hour"}
	for d, want := range spans {
		if got := span(d); got != want {
			t.Errorf("span(%v) = %q, want %q", d, got, want)
		}
	}
}
