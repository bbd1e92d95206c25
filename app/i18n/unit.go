package i18n

import (
	"math"
	"strconv"
	"strings"
	"time"

	"errand/planner/message"
)

// bytes writes a number of bytes with a binary unit: one decimal below 10.
func (p *printer) bytes(value any) string {
	n, ok := asFloat(value)
	if !ok {
		return p.value(value)
	}
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	u := 0
	for math.Abs(n) >= 1024 && u < len(units)-1 {
		n, u = n/1024, u+1
	}
	if u == 0 || math.Abs(n) >= 10 {
		n = math.Trunc(n)
	} else {
		n = math.Round(n*10) / 10
	}
	return p.unit(units[u], n)
}

// maxSeconds is what a time.Duration holds.
const maxSeconds = float64(math.MaxInt64 / time.Second)

// duration writes a number of seconds with one or several units: 1m30s.
func (p *printer) duration(value any) string {
	seconds, ok := asFloat(value)
	if !ok {
		return p.value(value)
	}
	if seconds < 0 {
		return "-" + p.duration(-seconds)
	}
	if seconds > maxSeconds {
		return p.unit("s", seconds)
	}
	d := time.Duration(math.Round(seconds * float64(time.Second)))
	switch {
	case d == 0:
		return p.unit("s", 0)
	case d < time.Millisecond:
		return p.unit("us", float64(d)/1e3)
	case d < time.Second:
		return p.unit("ms", float64(d)/1e6)
	}
	var parts []string
	if d >= time.Hour {
		parts = append(parts, p.unit("h", float64(d/time.Hour)))
	}
	if d %= time.Hour; d >= time.Minute {
		parts = append(parts, p.unit("m", float64(d/time.Minute)))
	}
	if d %= time.Minute; d > 0 {
		parts = append(parts, p.unit("s", d.Seconds()))
	}
	between, _ := p.lookup("unit.between")
	return strings.Join(parts, between)
}

// span writes a number of seconds with its two largest units, at least minutes.
func (p *printer) span(value any) string {
	seconds, ok := asFloat(value)
	if !ok {
		return p.value(value)
	}
	minutes := int64(seconds) / 60
	units := []string{"d", "h", "m"}
	counts := []int64{minutes / (24 * 60), minutes / 60 % 24, minutes % 60}
	for len(units) > 1 && counts[0] == 0 {
		units, counts = units[1:], counts[1:]
	}
	parts := make([]string, 0, 2)
	for i := range min(len(units), 2) {
		parts = append(parts, p.unit(units[i], float64(counts[i])))
	}
	between, _ := p.lookup("unit.between")
	return strings.Join(parts, between)
}

// percent writes a number of percent without decimals.
func (p *printer) percent(value any) string {
	percent, ok := asFloat(value)
	if !ok {
		return p.value(value)
	}
	return p.unit("percent", math.Round(percent))
}

// unit writes a number with its unit. The texts of units have the number as
// {number}, and as {n} for plural forms.
func (p *printer) unit(name string, number float64) string {
	text := p.decimal(strconv.FormatFloat(number, 'f', -1, 64))
	return p.text(message.New("unit."+name, "number", text, "n", number))
}

func asFloat(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
