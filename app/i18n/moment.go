package i18n

import "errand/planner/moment"

// moment writes when something is due, which [moment.When.String] wrote. Another text stays as it is.
func (p *printer) moment(value any) string {
	text := p.value(value)
	when, err := moment.Parse(text)
	if err != nil {
		return text
	}
	return p.text(when.Message())
}
