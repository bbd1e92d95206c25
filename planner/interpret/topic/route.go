package topic

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// openRoute makes the search for directions a visit to the address that its site has for them. from
// is where the words about the route begin, after their noun.
func (p *Reader) openRoute(c *parse.Clause, noun parse.Span) {
	if c.Outcome != parse.Understood || len(c.Drafts) != 1 {
		return
	}
	d := &c.Drafts[0]
	values, ok := p.route(noun.Hi, d.Slot("query").Hi)
	if !ok {
		return
	}
	for i := noun.Lo; i < noun.Hi && values["mode"] == ""; i++ { // "walking directions to"
		if m, ok := p.Longest(i, noun.Hi, lexicon.TravelMode); ok {
			values["mode"] = m.Value
		}
	}
	address, ok := p.Words.Catalogue.FormURL(d.Goal.Platform, directions, values)
	if !ok {
		return
	}
	d.Goal = plan.Goal{GoalType: plan.BrowserNavigate, Platform: d.Goal.Platform, Target: address}
	for i := range d.Spans {
		if d.Spans[i].Slot == "query" {
			d.Spans[i].Slot = "target"
		}
	}
}

// route reads the places of "to the airport from home by train", without the preposition that ends
// the noun before [lo,hi). The place where the route ends is necessary.
func (p *Reader) route(lo, hi int) (map[string]string, bool) {
	values := map[string]string{}
	if m, ok := p.FindEnding(lo+1, hi, lexicon.TravelMode); ok {
		values["mode"] = m.Value
		hi -= m.Len
	}
	first, next := "to", lexicon.RouteFrom
	if _, starts := p.Longest(lo-1, lo, lexicon.RouteFrom); starts {
		first, next = "from", lexicon.RouteTo
	}
	end := hi
	for i := lo + 1; i < hi; i++ {
		m, ok := p.Longest(i, hi, next)
		if !ok || i+m.Len >= hi {
			continue
		}
		end = i
		values[map[string]string{"to": "from", "from": "to"}[first]] = p.Cut(i+m.Len, hi)
		break
	}
	values[first] = p.Cut(lo, end)
	return values, values["to"] != ""
}
