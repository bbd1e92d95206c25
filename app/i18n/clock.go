package i18n

import (
	"strings"
	"time"
)

// clock writes a time (RFC 3339) or a date as the language's layout of that name
// says. A text that is neither stays as it is.
func (p *printer) clock(value any, layout string) string {
	text := p.value(value)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if at, err = time.Parse(time.DateOnly, text); err != nil {
			return text
		}
	}
	how, _ := p.lookup("language." + layout)
	text = at.Format(how)
	text = p.replaceName(text, at.Month().String(), "language.months", int(at.Month())-1)
	return p.replaceName(text, at.Weekday().String(), "language.weekdays", int(at.Weekday()))
}

// replaceName puts the language's name of a month or weekday in place of the
// English one. The names are a list in one text, separated by spaces.
func (p *printer) replaceName(text, english, code string, n int) string {
	names, _ := p.lookup(code)
	if list := strings.Fields(names); n < len(list) {
		return strings.Replace(text, english, list[n], 1)
	}
	return text
}
