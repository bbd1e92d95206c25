package i18n

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"

	"errand/planner/message"
)

// fill writes a text with its parameters.
func (l *Language) fill(b *strings.Builder, text string, params map[string]any) {
	for {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			b.WriteString(text)
			return
		}
		b.WriteString(text[:at])
		text = text[at+1:]
		if strings.HasPrefix(text, "{") {
			b.WriteByte('{')
			text = text[1:]
			continue
		}
		hole, rest, ok := cutHole(text)
		if !ok {
			b.WriteString("{" + text)
			return
		}
		name, how, _ := strings.Cut(hole, "|")
		if value, ok := params[name]; ok {
			l.format(b, value, how, params)
		} else {
			b.WriteString("{" + hole + "}") // tests check that each text has its parameters
		}
		text = rest
	}
}

// cutHole cuts a text after the brace that ends a hole. Holes may be inside of it.
func cutHole(text string) (hole, rest string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return text[:i], text[i+1:], true
			}
			depth--
		}
	}
	return text, "", false
}

// format writes a value as a hole asks for.
func (l *Language) format(b *strings.Builder, value any, how string, params map[string]any) {
	if between, ok := strings.CutPrefix(how, "join:"); ok {
		b.WriteString(l.join(value, between, l.value))
		return
	}
	switch how {
	case "":
		b.WriteString(l.join(value, ", ", l.value))
	case "and":
		b.WriteString(l.enumerate(value))
	case "lines":
		b.WriteString(l.join(value, "\n", l.value))
	case "quote":
		b.WriteString(l.join(value, ", ", l.quote))
	case "number":
		b.WriteString(l.join(value, ", ", l.number))
	case "bytes":
		b.WriteString(l.bytes(value))
	case "duration":
		b.WriteString(l.duration(value))
	case "span":
		b.WriteString(l.span(value))
	case "percent":
		b.WriteString(l.percent(value))
	case "time", "date":
		b.WriteString(l.clock(value, how))
	default:
		l.fill(b, l.choose(value, how), params)
	}
}

// enumerate writes a list as a sentence does: "a, b and c".
func (l *Language) enumerate(value any) string {
	list, ok := value.([]any)
	if !ok || len(list) < 2 {
		return l.join(value, ", ", l.value)
	}
	last := len(list) - 1
	and, _ := l.lookup("language.and")
	return l.join(list[:last], ", ", l.value) + and + l.value(list[last])
}

// join writes a value, or the values of a list.
func (l *Language) join(value any, between string, write func(any) string) string {
	list, ok := value.([]any)
	if !ok {
		return write(value)
	}
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = write(v)
	}
	return strings.Join(parts, between)
}

func (l *Language) value(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case message.Message:
		return l.Text(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return l.decimal(strconv.FormatFloat(v, 'f', -1, 64))
	}
	return fmt.Sprint(value)
}

// quote puts a text between the language's marks. Control characters and marks of
// the same kind are escaped, so that one sees where the text ends.
func (l *Language) quote(value any) string {
	quoted := strconv.Quote(l.value(value))
	marks, ok := l.lookup("language.quote")
	open, end, two := strings.Cut(marks, " ")
	if !ok || !two || open == `"` {
		return quoted
	}
	return open + strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`) + end
}

// number writes a whole number with the language's separator of thousands.
func (l *Language) number(value any) string {
	text := l.value(value)
	if _, ok := value.(int64); !ok {
		return text
	}
	group, _ := l.lookup("language.group")
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	for at := len(text) - 3; at > sign; at -= 3 {
		text = text[:at] + group + text[at:]
	}
	return text
}

func (l *Language) decimal(number string) string {
	if point, ok := l.lookup("language.decimal"); ok && point != "." {
		return strings.Replace(number, ".", point, 1)
	}
	return number
}

// choose takes the text for a value from "one:thing|other:things": that of the
// value itself, else that of the number's plural category, else the last one.
func (l *Language) choose(value any, choices string) string {
	exact, category := l.value(value), ""
	if n, ok := value.(int64); ok {
		category = l.category(n)
	}
	var byCategory, last string
	var found bool
	for choices != "" {
		var choice string
		choice, choices = cutChoice(choices)
		name, text, _ := strings.Cut(choice, ":")
		switch {
		case name == exact:
			return text
		case name == category && category != "":
			byCategory, found = text, true
		}
		last = text
	}
	if found {
		return byCategory
	}
	return last
}

// cutChoice cuts the first choice off. A bar within a hole does not end it.
func cutChoice(choices string) (first, rest string) {
	depth := 0
	for i := range len(choices) {
		switch choices[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '|':
			if depth == 0 {
				return choices[:i], choices[i+1:]
			}
		}
	}
	return choices, ""
}

var categories = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}

// category is the CLDR plural category of a whole number.
func (l *Language) category(n int64) string {
	if n < 0 {
		n = -n
	}
	return categories[plural.Cardinal.MatchPlural(l.cldr(), int(n%1_000_000_000), 0, 0, 0, 0)]
}

// bytes writes a number of bytes with a binary unit.
func (l *Language) bytes(value any) string {
	n, ok := asFloat(value)
	if !ok {
		return l.value(value)
	}
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	u := 0
	for math.Abs(n) >= 1024 && u < len(units)-1 {
		n, u = n/1024, u+1
	}
	text := strconv.FormatFloat(n, 'f', 1, 64)
	if u == 0 || n >= 10 {
		text = strconv.FormatFloat(math.Floor(n), 'f', 0, 64)
	}
	return l.unit(units[u], l.decimal(strings.TrimSuffix(text, ".0")), int64(n))
}

// duration writes a number of seconds with one or several units.
func (l *Language) duration(value any) string {
	seconds, ok := asFloat(value)
	if !ok {
		return l.value(value)
	}
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d == 0:
		return l.unit("s", "0", 0)
	case d < time.Millisecond:
		return l.unit("us", l.decimal(strconv.FormatFloat(float64(d)/1e3, 'f', -1, 64)), 2)
	case d < time.Second:
		return l.unit("ms", l.decimal(strconv.FormatFloat(float64(d)/1e6, 'f', -1, 64)), 2)
	}
	var parts []string
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"h", time.Hour}, {"m", time.Minute}} {
		if n := d / u.size; n > 0 {
			parts = append(parts, l.unit(u.name, strconv.FormatInt(int64(n), 10), int64(n)))
			d -= n * u.size
		}
	}
	if d > 0 {
		parts = append(parts, l.unit("s", l.decimal(strconv.FormatFloat(d.Seconds(), 'f', -1, 64)), int64(d.Seconds())))
	}
	between, _ := l.lookup("unit.between")
	return strings.Join(parts, between)
}

// span writes a number of seconds with its two largest units, at least minutes.
func (l *Language) span(value any) string {
	seconds, ok := asFloat(value)
	if !ok {
		return l.value(value)
	}
	minutes := int64(seconds) / 60
	units := []string{"d", "h", "m"}
	counts := []int64{minutes / (24 * 60), minutes / 60 % 24, minutes % 60}
	for len(units) > 1 && counts[0] == 0 {
		units, counts = units[1:], counts[1:]
	}
	parts := make([]string, 0, 2)
	for i := range min(len(units), 2) {
		parts = append(parts, l.unit(units[i], strconv.FormatInt(counts[i], 10), counts[i]))
	}
	between, _ := l.lookup("unit.between")
	return strings.Join(parts, between)
}

// percent writes a number of percent without decimals.
func (l *Language) percent(value any) string {
	percent, ok := asFloat(value)
	if !ok {
		return l.value(value)
	}
	percent = math.Round(percent)
	return l.unit("percent", strconv.FormatFloat(percent, 'f', 0, 64), int64(percent))
}

func (l *Language) unit(name, number string, n int64) string {
	return l.Text(message.Message{Code: "unit." + name, Params: map[string]any{"number": number, "n": n}})
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
