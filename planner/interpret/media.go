package interpret

import (
	"cmp"
	"slices"

	"errand/planner/interpret/control"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// mediaTopic is the topic of what is played, and mediaSetting the setting of its site.
const (
	mediaTopic   = "media"
	mediaSetting = control.SitePrefix + mediaTopic
)

// placeMedia gives a search that plays something its site: the one that the user chose before.
// Without one, it asks; the answer is a goal too, so that it is remembered.
func (t *tally) placeMedia(c *parse.Clause) {
	configured, answer := t.Sites[mediaTopic], t.Hint(c.Verb.Lo).Site
	d := &c.Drafts[0]
	c.NeedsPage = false
	switch {
	case answer == "" && t.opensMediaApp():
		// Merging makes it a search on the site of that app.
	case answer == "" && t.opensGame():
		at, _ := t.SkipLead(c.Lo, c.Hi)
		c.Outcome, c.Ask = parse.Asks, t.AskUnclear(parse.Span{Lo: at, Hi: c.Hi})
	case answer != "":
		d.Goal.Platform = answer
		if configured == "" {
			set := parse.Draft{Goal: control.Goal(mediaSetting, answer), Spans: []parse.SlotSpan{{Slot: "goal_type", Span: c.Verb}}}
			d.Needs = len(t.drafts) + 1 // first, because a change after a page was read needs an approval
			c.Drafts = slices.Insert(c.Drafts, 0, set)
		}
	case configured != "" && c.Media == parse.CertainMedia:
		d.Goal.Platform = configured
	default:
		c.Outcome, c.Ask = parse.Asks, t.askMedia(c, configured)
	}
}

// writesOnSite reports whether a text is to be written on the page of a site where people write
// posts and the like, or played on one that plays nothing. Neither is a search: "open facebook and write a post".
func (t *tally) writesOnSite(c *parse.Clause) bool {
	if c.HasField || !hasPage(t.Words, t.drafts) {
		return false
	}
	last := t.drafts[len(t.drafts)-1].Goal
	site := cmp.Or(last.Platform, last.Target)
	switch {
	case c.VerbKind == lexicon.WriteIn:
		return t.Words.Catalogue.Posts(site)
	case c.Media != parse.NoMedia: // "open steam and play dota"
		return !t.Words.PlaysMedia(site) && !t.Words.Catalogue.Engine(site) && !t.Words.Catalogue.Browser(site)
	}
	return false
}

// opensMediaApp reports whether the clause before starts an app whose site can be searched:
// "open spotify and play jazz".
func (t *tally) opensMediaApp() bool {
	if len(t.drafts) == 0 {
		return false
	}
	g := t.drafts[len(t.drafts)-1].Goal
	return g.GoalType == plan.AppLaunch && t.Words.PlaysMedia(g.Target)
}

// opensGame reports whether the clause before starts an app whose site has other things than music
// and videos: "open steam and play dota".
func (t *tally) opensGame() bool {
	if len(t.drafts) == 0 {
		return false
	}
	g := t.drafts[len(t.drafts)-1].Goal
	return g.GoalType == plan.AppLaunch && t.Words.Catalogue.Searchable(g.Target)
}

// askMedia asks on which site to play something.
func (t *tally) askMedia(c *parse.Clause, configured string) parse.Question {
	q := parse.Question{Code: "question.media", Words: c.Drafts[0].Goal.Query, At: parse.Span{Lo: c.Verb.Lo, Hi: c.Verb.Lo}}
	sites := t.Words.Packs[t.Words.PackOf(t.Language)].Offers.Media
	if configured != "" {
		q.Code = "question.put_on"
		sites = append([]string{configured}, slices.DeleteFunc(slices.Clone(sites), func(s string) bool { return s == configured })...)
	}
	for _, id := range sites {
		if t.Words.Catalogue.Searchable(id) {
			q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(t.Words.SiteName(id)), Value: id})
		}
	}
	return q
}

// readMediaSite is the site that an answer names: "spotify", "on spotify".
func (i *Interpreter) readMediaSite(q parse.Question, value string) string {
	if parse.IsChoice(q, value) {
		return value
	}
	p := newParser(i.Parse(value))
	lo := p.Skip(0, len(p.Tokens), lexicon.On, lexicon.Use)
	if s, ok := p.Web.SiteAt(lo, len(p.Tokens), false); ok && lo+s.Len == p.TrimTail(lo, len(p.Tokens), true) {
		return s.ID
	}
	return ""
}
