package system

import (
	"context"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"errand/planner/message"
)

func battery(context.Context, Options) (map[string]any, error) {
	if runtime.GOOS != "linux" {
		return map[string]any{"known": false, "text": message.New("answer.machine_battery_unknown", "os", runtime.GOOS).PlainValue()}, nil
	}
	return powerSupply(os.DirFS("/sys/class/power_supply"))
}

// powerSupply reads the Linux power-supply class
// (Documentation/ABI/testing/sysfs-class-power). It ignores batteries of mice and
// keyboards, which have scope Device. Several batteries are combined by their
// charge.
func powerSupply(dir fs.FS) (map[string]any, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		entries = nil // the machine has no power supply
	}
	var now, full, rate, percents float64
	var cells int
	plugged, charging := false, false
	for _, e := range entries {
		read := func(name string) string {
			b, _ := fs.ReadFile(dir, e.Name()+"/"+name)
			return strings.TrimSpace(string(b))
		}
		number := func(names ...string) float64 {
			for _, n := range names {
				if v, err := strconv.ParseFloat(read(n), 64); err == nil {
					return v
				}
			}
			return 0
		}
		switch kind := read("type"); {
		case kind == "Mains" || kind == "USB":
			plugged = plugged || read("online") == "1"
		case kind == "Battery" && read("scope") != "Device" && read("present") != "0":
			cells++
			percents += number("capacity")
			now += number("energy_now", "charge_now")
			full += number("energy_full", "charge_full")
			rate += number("power_now", "current_now")
			charging = charging || read("status") == "Charging"
			plugged = plugged || charging || read("status") == "Full"
		}
	}
	if cells == 0 {
		return map[string]any{"known": true, "present": false, "text": message.New("answer.machine_no_battery").PlainValue()}, nil
	}
	level := percents / float64(cells)
	if full > 0 {
		level = min(100*now/full, 100)
	}
	answer := map[string]any{
		"known": true, "present": true, "percent": roundToTenth(level), "charging": charging, "plugged_in": plugged,
	}
	said := message.New("answer.machine_battery", "percent", percent(level))
	switch {
	case charging:
		said = message.New("answer.machine_battery_charging", "percent", percent(level))
	case plugged:
		said = message.New("answer.machine_battery_plugged_in", "percent", percent(level))
	case rate > 0 && now > 0:
		left := time.Duration(now / rate * float64(time.Hour))
		answer["remaining_minutes"] = float64(int(left.Minutes()))
		said = message.New("answer.machine_battery_left", "percent", percent(level), "span", span(left))
	}
	answer["text"] = said.PlainValue()
	return answer, nil
}
