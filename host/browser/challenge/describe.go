package challenge

import "errand/planner/message"

// Describe says what a page of a host shows instead of its content.
func (d Detection) Describe(host string) message.Message {
	text := "browser.challenge"
	if d.Kind == Consent {
		text = "browser.consent"
	}
	kind := message.New("browser.obstacle_kind", "kind", d.Kind)
	if d.Provider != "" {
		kind = message.New("browser.obstacle_of", "kind", d.Kind, "provider", d.Provider)
	}
	return message.New(text, "host", host, "obstacle", kind, "evidence", d.Evidence)
}
