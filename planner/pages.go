package planner

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"errand/planner/message"
	"errand/planner/plan"
)

// A goal may want more of a page than to see it. Then showing the page becomes an
// aim of its own, because the tool that reads or pictures the page needs it visible.
// Showing one page hides the others, so that the planner finishes with one page
// before it opens the next.

// saveCopy is the key of a tool that saves a copy of another tool's result. It is
// used if a goal names a place and the tool has no parameter for it.
const saveCopy = "save_copy"

// pageEffects are the effects of page actions whose name is not object plus past
// tense.
var pageEffects = map[string]string{
	plan.ScreenshotPage: "screenshot_taken", plan.ScreenshotFullPage: "screenshot_taken",
	plan.ReadPage: "page_read", plan.OpenExternal: "opened_externally",
}

// readPageAction turns the aim of a page into the aim of an action on that page.
func (a *agenda) readPageAction(m *aim) {
	g := &m.goal
	m.action, g.ObjectType = normalizeID(g.Action), normalizeID(g.ObjectType)
	g.Action = m.action
	key := m.fileKey()
	m.effect = pageEffects[key]
	if m.effect == "" {
		m.effect = g.ObjectType + "_" + pastTense(m.action)
	}
	m.isTrue = false // it is asked for now, whatever was done before
	switch {
	case !m.refusal.IsZero() || key == plan.OpenExternal:
	case key == plan.DownloadFile && g.Query == "":
		m.page = origin(m.url) // a file is not a page: the browser is at its site
	default:
		m.page = m.url
	}
	m.readDestination(key)
}

// readDestination reads the place where the result of a page action is saved.
func (m *aim) readDestination(key string) {
	if g := m.goal; g.SaveTo != "" && m.refusal.IsZero() {
		m.path = strings.TrimSpace(g.SaveTo)
		switch {
		case !isAbsolute(m.path):
			m.refusal = message.New("reason.relative_path", "path", m.path)
		case slices.Contains(segments(m.path), ".."):
			m.refusal = message.New("reason.climbing_path", "path", m.path)
		case strings.ContainsRune(separators, rune(m.path[len(m.path)-1])):
			m.path += m.fileName(key)
		}
	}
}

// maxFileName is the longest file name that fileName makes, in bytes.
const maxFileName = 100

// fileName is the name of a file for which only a folder was named. A download keeps
// its own name; a picture or PDF is named after the page.
func (m aim) fileName(key string) string {
	u, err := url.Parse(m.url)
	if err != nil {
		return ""
	}
	if key == plan.DownloadFile {
		if m.goal.Query != "" {
			return cleanName(m.goal.Query)
		}
		return cleanName(u.Path[strings.LastIndexByte(u.Path, '/')+1:]) // none: the tool knows it once it has the file
	}
	name := strings.TrimPrefix(u.Hostname(), "www.")
	switch {
	case m.isPageControl():
		name = "page"
	case key == plan.ScreenshotScreen:
		name = "screen"
	}
	switch path := strings.Trim(u.Path, "/"); {
	case m.goal.GoalType == plan.BrowserSearch:
		name += "-" + m.goal.Query
	case path != "":
		name += "-" + path
	}
	if name = cleanName(name); len(name) > maxFileName {
		name = strings.ToValidUTF8(name[:maxFileName], "")
	}
	return name + cmp.Or(extensions[key], ".png")
}

// extensions are those of the files that page actions make; the others make pictures.
var extensions = map[string]string{plan.SavePDF: ".pdf", plan.PrintPage: ".pdf", plan.SaveHTML: ".html", plan.SaveText: ".txt"}

// cleanName keeps letters, digits, dots, dashes and underscores, and puts one dash
// in place of anything else.
func cleanName(s string) string {
	var words []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
	}) {
		if w = strings.Trim(w, ".-"); w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, "-")
}

// origin is the first page of the site that a URL belongs to.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String()
}

// shownFact is the fact that the browser shows a page.
func shownFact(page string) string { return "shown\x00" + page }

// addPages adds the aims that aims on pages need: one that shows the page, if no
// other aim shows it, and one that saves a copy, if the tool can't take a path. Call
// it once, after all goals are read.
func (a *agenda) addPages() {
	aimCount := len(a.aims)
	defer func() { a.needs.grow(len(a.aims)) }()
	shows := map[string]bool{}
	for _, m := range a.aims {
		if !m.isPageAction() && m.url != "" {
			shows[m.url] = true
		}
	}
	for i := range aimCount {
		m := a.aims[i]
		if m.page == "" && !m.isPageControl() && m.goal.SaveTo == "" {
			continue
		}
		if m.page != "" {
			a.pagesToShow = append(a.pagesToShow, m.page)
		}
		if m.page != "" && !shows[m.page] {
			shows[m.page] = true
			show := aim{goal: m.goal, effect: "url_loaded", url: m.page, site: m.site, isImplied: true, isTrue: a.isShown(m.page), place: i}
			show.goal.Action, show.goal.ObjectType, show.goal.SaveTo, show.goal.Limit = "", "", "", 0
			if m.goal.GoalType == plan.BrowserSearch {
				show.effect = show.goal.Platform + "_search_visible"
			} else {
				show.goal.Target, show.goal.Query = m.page, ""
			}
			show.fact = show.name("")
			a.byFact[show.fact] = len(a.aims)
			a.aims = append(a.aims, show)
			a.needs.grow(len(a.aims))
			for _, n := range a.needs.out[i] {
				if a.aims[n].isPageControl() {
					a.needs.add(len(a.aims)-1, n)
				}
			}
		}
		if m.path != "" && m.refusal.IsZero() && !a.canTakePath(m) {
			a.aims[i].isImplied, a.aims[i].path = true, ""
			keep := m
			keep.copyOf, keep.fact, keep.page = i+1, m.fact+"\x00"+m.path, ""
			keep.effect = "copy_saved"
			a.byFact[keep.fact] = len(a.aims)
			a.aims = append(a.aims, keep)
			a.needs.grow(len(a.aims))
			a.needs.add(len(a.aims)-1, i)
		}
	}
	slices.Sort(a.pagesToShow)
	a.pagesToShow = slices.Compact(a.pagesToShow)
}

// isPageAction reports whether an aim is an action on a page.
func (m aim) isPageAction() bool { return m.goal.OnPage() && m.copyOf == 0 }

// canTakePath reports whether a tool that can reach the aim has a parameter for the
// place to save to.
func (a *agenda) canTakePath(m aim) bool {
	return slices.ContainsFunc(a.tools, func(c *plan.Capability) bool {
		return slices.Contains(c.CanAchieve, m.fileKey()) && slices.Contains(c.Params, "path")
	})
}

// visibility lists what an operator for aim i requires of the visible page, and how
// it changes which page is visible.
func (a *agenda) visibility(i int) (requires, effects []string) {
	m := a.aims[i]
	if len(a.pagesToShow) == 0 {
		return nil, nil
	}
	if m.page != "" {
		requires = append(requires, shownFact(m.page))
	}
	if m.isPageControl() && plan.LeavesPage(m.fileKey()) {
		for _, page := range a.pagesToShow {
			effects = append(effects, "!"+shownFact(page))
		}
		return nil, effects
	}
	if m.url == "" || m.isPageAction() || m.copyOf > 0 {
		return requires, nil
	}
	for _, page := range a.pagesToShow {
		if page == m.url {
			effects = append(effects, shownFact(page))
		} else {
			effects = append(effects, "!"+shownFact(page))
		}
	}
	return requires, effects
}

// pageArgs are the arguments of a tool for an action on a page. The page is not
// among them: the tool uses the visible one.
func (m aim) pageArgs(c *plan.Capability) (map[string]any, bool) {
	params := c.Params
	args := map[string]any{}
	put := func(name string, value any) bool {
		if params != nil && !slices.Contains(params, name) {
			return false
		}
		args[name] = value
		return true
	}
	if m.goal.Limit > 0 && !put("max", m.goal.Limit) {
		return args, false
	}
	if m.path != "" && slices.Contains(params, "path") {
		put("path", m.path)
	}
	switch m.fileKey() {
	case plan.OpenExternal:
		return args, put("url", m.url)
	case plan.DownloadFile:
		if m.goal.Query == "" {
			return args, put("url", m.url)
		}
		return args, put("file", m.goal.Query)
	case plan.ScreenshotFullPage:
		return args, put("full", true)
	case plan.SaveHTML:
		return args, put("as", "html")
	case plan.SaveText:
		return args, put("as", "text")
	}
	return args, true
}
