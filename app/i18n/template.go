package i18n

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"

	"errand/planner/message"
)

// printer says one message and those within it.
type printer struct {
	*Language
	remaining int // bytes that messages within the message may still have
}

func (p *printer) text(m message.Message) string {
	if text, ok := m.Text(); ok || m.IsZero() {
		return text
	}
	if p.remaining <= 0 {
		return "…"
	}
	text, ok := p.lookup(m.Code)
	if !ok {
		if text, ok = m.Params[message.Fallback].(string); !ok {
			text = m.String()
		}
		p.remaining -= len(text) + 1
		return text
	}
	var b strings.Builder
	p.fill(&b, text, m.Params)
	p.remaining -= b.Len() + 1
	return b.String()
}

// fill writes a template with its parameters. Values are not read as templates.
func (p *printer) fill(b *strings.Builder, template string, params map[string]any) {
	for {
		text, hole, rest, ok := cutHole(template)
		b.WriteString(text)
		if !ok {
			return
		}
		template = rest
		name, how, _ := strings.Cut(hole, "|")
		value, ok := params[name]
		switch {
		case !ok:
			b.WriteString("{" + hole + "}") // tests check that each text has its parameters
		case strings.Contains(how, ":") && !strings.HasPrefix(how, "join:"):
			p.fill(b, p.choose(value, how), params)
		default:
			b.WriteString(p.format(value, how))
		}
	}
}

// cutHole cuts a template around its first hole. The text before it has single
// braces. Holes may be in the choices of a hole.
func cutHole(template string) (text, hole, rest string, ok bool) {
	at := strings.IndexByte(template, '{')
	if at < 0 {
		return template, "", "", false
	}
	text, rest = template[:at], template[at+1:]
	if strings.HasPrefix(rest, "{") {
		more, hole, rest, ok := cutHole(rest[1:])
		return text + "{" + more, hole, rest, ok
	}
	depth := 1
	for i := range len(rest) {
		switch rest[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text, rest[:i], rest[i+1:], true
		}
	}
	return template, "", "", false
}

// format writes a value as a hole asks for.
func (p *printer) format(value any, how string) string {
	if between, ok := strings.CutPrefix(how, "join:"); ok {
		return p.join(value, between, p.value)
	}
	switch how {
	case "and":
		return p.enumerate(value)
	case "lines":
		return p.join(value, "\n", p.raw)
	case "quote":
		return p.join(value, ", ", p.quote)
	case "shell":
		return p.join(value, " ", func(v any) string { return message.ShellWord(p.raw(v)) })
	case "number":
		return p.join(value, ", ", p.groupDigits)
	case "bytes":
		return p.bytes(value)
	case "duration":
		return p.duration(value)
	case "span":
		return p.span(value)
	case "decimal":
		return p.join(value, ", ", func(v any) string { return p.decimal(p.raw(v)) })
	case "percent":
		return p.percent(value)
	case "moment":
		return p.moment(value)
	case "time", "date", "day", "month_day":
		return p.clock(value, how)
	}
	return p.value(value)
}

// enumerate writes a list as a sentence does: "a, b and c".
func (p *printer) enumerate(value any) string {
	list, ok := value.([]any)
	if !ok || len(list) < 2 {
		return p.value(value)
	}
	last := len(list) - 1
	and, _ := p.lookup("language.and")
	return p.join(list[:last], ", ", p.value) + and + p.value(list[last])
}

// join writes a value, or the values of a list.
func (p *printer) join(value any, between string, write func(any) string) string {
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

// oneLine keeps a name or a text of others from adding lines of its own to a message. Text
// that may have several lines is not within a message, or in a list of lines.
var oneLine = strings.NewReplacer("\r\n", "⏎", "\n", "⏎")

// raw is value for a string that is escaped in another way.
func (p *printer) raw(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return p.value(value)
}

func (p *printer) value(value any) string {
	switch v := value.(type) {
	case string:
		return oneLine.Replace(v)
	case message.Message:
		return p.text(v)
	case []any:
		return p.join(v, ", ", p.value)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return p.decimal(strconv.FormatFloat(v, 'f', -1, 64))
	}
	return fmt.Sprint(value)
}

// quote puts a text between the language's marks. Control characters and the marks
// themselves are escaped, so that one sees where the text ends.
func (p *printer) quote(value any) string {
	quoted := strconv.Quote(p.raw(value))
	marks, _ := p.lookup("language.quote")
	first, last, two := strings.Cut(marks, " ")
	if !two || first == `"` {
		return quoted
	}
	inner := strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return first + strings.NewReplacer(first, `\`+first, last, `\`+last).Replace(inner) + last
}

// groupDigits writes a whole number with the language's separator of thousands.
func (p *printer) groupDigits(value any) string {
	text := p.value(value)
	if _, ok := value.(int64); !ok {
		return text
	}
	group, _ := p.lookup("language.group")
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	for at := len(text) - 3; at > sign; at -= 3 {
		text = text[:at] + group + text[at:]
	}
	return text
}

// decimal writes a number, or the numbers of a calculation, with the language's decimal mark.
func (p *printer) decimal(number string) string {
	if mark, ok := p.lookup("language.decimal"); ok && mark != "." {
		return strings.ReplaceAll(number, ".", mark)
	}
	return number
}

// choose takes the text for a value from "one:thing|other:things": that of the
// value itself, else that of the number's plural category, else the last. The
// number of a list is its length.
func (p *printer) choose(value any, choices string) string {
	if list, ok := value.([]any); ok {
		value = int64(len(list))
	}
	exact, category := p.value(value), ""
	if n, ok := value.(int64); ok {
		category = p.category(n)
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

// cutChoice cuts choices after the first, at a bar that is in no hole.
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

var categories = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// category is the CLDR plural category of a whole number.
func (p *printer) category(n int64) string {
	const large = 10_000_000 // plural forms depend on the digits below it, and on whether there are more
	if n < 0 {
		n = -n
	}
	if n >= large {
		n = large + n%large
	}
	return categories[plural.Cardinal.MatchPlural(p.cldr(), int(n), 0, 0, 0, 0)]
}
