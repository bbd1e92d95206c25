package web

import (
	"slices"

	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// findInstalled finds the installed apps that [lo,hi) names, with or without a noun after the name:
// "inkscape", "the inkscape app".
func findInstalled(p *Reader, c *parse.Clause, lo, hi int) installed.Found {
	if p.Apps == nil || lo >= hi {
		return installed.Found{}
	}
	language := p.Language
	if int(c.Lang) < len(p.Words.Packs) {
		language = p.Words.Packs[c.Lang].Language
	}
	found := p.Apps(installed.Lookup{Words: p.Cut(lo, hi), Language: language})
	if m, ok := p.FindEnding(lo+1, hi, lexicon.AppNoun, lexicon.Window); ok && len(found.Exact) == 0 {
		return p.Apps(installed.Lookup{Words: p.Cut(lo, hi-m.Len), Language: language})
	}
	return found
}

// FindInstalled returns the one installed app that [lo,hi) names.
func FindInstalled(p *Reader, c *parse.Clause, lo, hi int) (installed.App, bool) {
	found := findInstalled(p, c, lo, hi).Exact
	if len(found) != 1 {
		return installed.App{}, false
	}
	return found[0], true
}

// openInstalled opens the installed app that [lo,hi) names, or asks which one if there are several.
func openInstalled(p *Reader, c *parse.Clause, lo, hi int) bool {
	found := findInstalled(p, c, lo, hi)
	at := parse.Span{Lo: lo, Hi: hi}
	switch len(found.Exact) {
	case 0:
		return false
	case 1:
		p.OpenEntity(c, parse.Entity{ID: found.Exact[0].ID, App: true, Len: hi - lo}, at, false)
	default:
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.choice", Choices: appChoices(found.Exact), At: at}
	}
	return true
}

// offerInstalled adds the installed apps that the words may mean to the question what to open: to open
// "files" may mean files, or the app Files.
func offerInstalled(p *Reader, c *parse.Clause) {
	at := c.Ask.At
	if p.IsPhrase(at.Lo, at.Hi, lexicon.Pronoun, lexicon.Nothing) || p.IsPhrase(p.SkipDeterminer(at.Lo, at.Hi), at.Hi, lexicon.Pronoun, lexicon.Nothing) {
		return
	}
	c.Ask.Choices = appChoices(findInstalled(p, c, at.Lo, at.Hi).Exact)
}

// askSiteOrApp asks whether the site or an installed app of the same name is meant, if the words say that it is
// an app: "the youtube app".
func askSiteOrApp(p *Reader, c *parse.Clause, e parse.Entity, noun bool, lo, hi int) bool {
	if !noun || e.App || p.Hint(lo).Entry != nil {
		return false
	}
	found := findInstalled(p, c, lo, hi)
	if len(found.Exact) == 0 {
		return false
	}
	site := plan.Choice{Label: message.New("question.choice_site", "site", p.Words.SiteName(e.ID)), Value: e.ID}
	c.Outcome, c.Ask = parse.Asks, parse.Question{
		Code: "question.choice", Site: true, At: parse.Span{Lo: lo, Hi: hi},
		Choices: append(appChoices(found.Exact), site),
	}
	return true
}

// appChoices are the choices of a question between installed apps.
func appChoices(apps []installed.App) []plan.Choice {
	var out []plan.Choice
	for _, a := range apps {
		out = append(out, plan.Choice{Label: message.New("question.choice_app", "app", a.Name, "file", a.File), Value: a.ID})
	}
	return out
}

// WithoutKnown leaves out the choices of apps whose names the catalogue has too: "Inkscape" is
// offered once.
func WithoutKnown(choices, known []plan.Choice) []plan.Choice {
	return slices.DeleteFunc(slices.Clone(choices), func(c plan.Choice) bool {
		name, _ := c.Label.Params["app"].(string)
		return installed.IsID(c.Value) && slices.ContainsFunc(known, func(k plan.Choice) bool {
			label, _ := k.Label.PlainValue().(string)
			return catalogue.Fold(label) == catalogue.Fold(name)
		})
	})
}
