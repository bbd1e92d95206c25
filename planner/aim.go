package planner

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"errand/planner/catalogue"
	"errand/planner/installed"
	"errand/planner/message"
	"errand/planner/plan"
)

// maxQuery is the longest query of a search, in bytes. The interpreter reads no
// longer text.
const maxQuery = 4096

// aim is a goal with all that planning needs: its canonical form, whether it is true
// already, and the reason if it can't be planned.
type aim struct {
	goal        plan.Goal // with ids in the catalogue's spelling
	fact        string    // the fact that stands for it in the task; equal aims have equal ones
	effect      string    // expected_effect
	url         string    // search, navigate
	action      string    // file_operation: create, delete or one of [plan.FileActions], or the word as given
	path        string    // file_operation, without a final separator; of a page: where to keep what is made of it
	destination string    // file_operation: the path that it makes of path
	page        string    // URL of the page that has to be in sight
	order       int       // of a page: the number of goals about the open page before it, itself included
	place       int       // in the words: its own, or that of the aim that needs it
	copyOf      int       // it keeps what this aim makes, counted from 1
	isImplied   bool      // another aim needs it; the user did not ask for it
	site        catalogue.Site
	app         catalogue.App
	installed   installed.App // in place of app
	hasItems    bool          // the folder is not empty
	isTrue      bool
	refusal     message.Message // why no plan can reach it; zero if one can
}

// readGoal turns a goal into an aim, or asks for what the goal leaves open.
func (a *agenda) readGoal(g plan.Goal) (aim, *plan.Question) {
	m := aim{goal: g, order: a.orderOf(g)}
	var q *plan.Question
	if isGarbled(g) {
		m.effect, m.refusal = string(g.GoalType), message.New("reason.unreadable")
		m.fact = m.name(m.action)
		return m, nil
	}
	switch g.GoalType {
	case plan.BrowserSearch:
		if a.readSearch(&m); g.OnPage() {
			a.readPageAction(&m)
		}
	case plan.BrowserNavigate:
		if a.readNavigate(&m); g.OnPage() {
			a.readPageAction(&m)
		}
	case plan.AppLaunch:
		q = a.readLaunch(&m)
	case plan.FileOperation:
		q = a.readFile(&m)
	case plan.SystemQuery:
		q = a.readQuery(&m)
	case plan.SystemControl:
		a.readControl(&m)
	case plan.PageControl:
		readPageControl(a, &m)
	default:
		m.effect, m.refusal = string(g.GoalType), message.New("reason.unknown_goal_type", "goal_type", g.GoalType)
	}
	m.fact = m.name(m.action)
	return m, q
}

// isGarbled reports whether a goal has text that no tool can take: invalid UTF-8, or
// a NUL in a path or an address. readSearch checks the other control characters of a
// query.
func isGarbled(g plan.Goal) bool {
	for _, s := range []string{g.Platform, g.Target, g.Action, g.ObjectType, g.SaveTo, g.Destination} {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return true
		}
	}
	return !utf8.ValidString(g.Query) || !utf8.ValidString(g.Value)
}

// name identifies an aim; equal aims have equal names. It starts with the effect,
// because the solver compares facts by name when it can reach only some of them.
func (m aim) name(action string) string {
	about, effect := m.url, m.effect
	switch {
	case m.goal.ControlsPage():
		about = strings.Join([]string{strconv.Itoa(m.order), m.path}, "\x00") // each is done again
	case m.goal.OnPage():
		about = strings.Join([]string{m.url, m.goal.Query, strconv.Itoa(m.goal.Limit), m.path}, "\x00")
	case m.path != "":
		about, effect = m.path, m.goal.ObjectType+"_"+pastTense(action)
		if slices.Contains(plan.FileActions(), action) || m.goal.Value != "" {
			about = strings.Join([]string{m.path, m.destination, m.goal.Query, m.goal.Value}, "\x00")
		}
	case m.url == "":
		about = m.goal.Target + "\x00" + m.goal.Query
		if m.goal.GoalType == plan.SystemControl || m.goal.AsksWithValue() {
			about = m.goal.Target + "\x00" + m.goal.Value
		}
	}
	if m.order > 0 && !m.goal.ControlsPage() {
		about += "\x00" + strconv.Itoa(m.order)
	}
	return strings.Join([]string{"goal", effect, string(m.goal.GoalType), action, m.goal.ObjectType, about}, "\x00")
}

func (a *agenda) readSearch(m *aim) {
	g := &m.goal
	if g.Platform = normalizeID(g.Platform); g.Platform == "" {
		g.Platform = a.planner.defaultPlatform()
	}
	m.effect = g.Platform + "_search_visible"
	site, known := a.planner.catalogue.Site(g.Platform)
	m.site = site
	switch {
	case strings.TrimSpace(g.Query) == "":
		m.refusal = message.New("reason.no_query")
	case len(g.Query) > maxQuery:
		m.refusal = message.New("reason.long_query", "size", len(g.Query), "limit", maxQuery)
	case strings.ContainsFunc(g.Query, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0x7f }):
		m.refusal = message.New("reason.control_characters")
	case !known:
		m.refusal = message.New("reason.unknown_site", "site", g.Platform)
	case site.Search == "":
		m.refusal = message.New("reason.no_search_address", "site", site.Name)
	default:
		u, err := a.planner.catalogue.SearchURL(g.Platform, g.Query)
		if err != nil {
			m.refusal = message.FromError(err)
			return
		}
		m.url, m.isTrue = u, a.isShown(u)
	}
}

func (a *agenda) readNavigate(m *aim) {
	m.effect = "url_loaded"
	u, err := url.Parse(strings.TrimSpace(m.goal.Target))
	switch {
	case m.goal.Target == "" && m.goal.Platform != "":
		m.refusal = message.New("reason.unknown_site", "site", m.goal.Platform)
	case m.goal.Target == "":
		m.refusal = message.New("reason.no_address")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		m.refusal = message.New("reason.bad_address", "address", m.goal.Target)
	default:
		m.url = strings.TrimSpace(m.goal.Target)
		m.isTrue = a.isShown(m.url)
		m.site, _ = a.planner.catalogue.SiteOf(u.Hostname())
	}
}

// isShown reports whether the browser already shows a page. It compares hosts
// without "www.", an empty path as "/", and queries by their decoded values.
func (a *agenda) isShown(page string) bool {
	w := a.request.World
	if !w.BrowserRunning || w.BrowserLastURL == "" || a.controls > 0 {
		return false
	}
	if w.BrowserLastURL == page {
		return true
	}
	x, err := url.Parse(page)
	if err != nil {
		return false
	}
	y, err := url.Parse(w.BrowserLastURL)
	if err != nil {
		return false
	}
	host := func(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Host), "www.") }
	path := func(u *url.URL) string { return "/" + strings.TrimPrefix(u.EscapedPath(), "/") }
	return x.Scheme == y.Scheme && host(x) == host(y) && path(x) == path(y) && x.Fragment == y.Fragment &&
		x.Query().Encode() == y.Query().Encode()
}

func (a *agenda) readLaunch(m *aim) *plan.Question {
	m.goal.Target = normalizeApp(m.goal.Target)
	if m.goal.Target == "" {
		return &plan.Question{ID: askTarget, Question: message.New("question.which_app"), FreeTextAllowed: true}
	}
	m.effect = m.goal.Target + "_running"
	m.app, _ = a.planner.catalogue.App(m.goal.Target)
	m.installed = a.request.Apps[m.goal.Target]
	m.isTrue = normalizeID(a.request.World.ActiveWindow) == m.goal.Target
	return nil
}

func (a *agenda) readQuery(m *aim) *plan.Question {
	m.goal.Target = normalizeID(m.goal.Target)
	if m.goal.Target == "" {
		return &plan.Question{ID: askTarget, Question: message.New("question.what_to_tell"), FreeTextAllowed: true}
	}
	m.action, m.effect = actionOf(m.goal), m.goal.Target+"_known"
	return nil
}

// keys are the names that a tool's can_achieve may use for an aim, the most specific
// first.
func (m aim) keys() []string {
	switch {
	case m.copyOf > 0:
		return []string{saveCopy}
	case m.isPageAction(), m.goal.ControlsPage():
		return []string{m.fileKey()}
	}
	if m.goal.GoalType == plan.FileOperation {
		return []string{m.fileKey(), string(plan.FileOperation)}
	}
	if m.goal.GoalType == plan.SystemControl || m.goal.AsksWithValue() {
		return []string{m.fileKey()}
	}
	return []string{string(m.goal.GoalType)}
}

func (m aim) fileKey() string {
	if m.action == plan.ReadAction && m.goal.ObjectType == "file" && strings.EqualFold(path.Ext(m.path), ".docx") {
		return plan.ReadDocument
	}
	return m.action + "_" + m.goal.ObjectType
}

// isAchievedBy reports whether a tool with one of the keys achieves exactly this aim
// and has parameters for it.
func (m aim) isAchievedBy(c *plan.Capability) bool {
	if c.ReadOnly && slices.ContainsFunc(m.keys(), plan.IsChangingKey) {
		return false
	}
	if m.goal.GoalType == plan.FileOperation && !slices.Contains(c.CanAchieve, m.fileKey()) && !hasNameSuffix(c.Name, m.fileKey()) {
		return false
	}
	_, ok := m.args(c)
	return ok
}

// hasNameSuffix reports whether a tool's name ends in key as a whole word:
// "files.create_folder" ends in create_folder, "files.recreate_folder" does not. It
// tells apart tools that only list file_operation.
func hasNameSuffix(name, key string) bool {
	rest, ok := strings.CutSuffix(name, key)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "_") || strings.HasSuffix(rest, "-"))
}

// effectsOf lists the facts that hold after a tool reached the aim. A tool that
// starts apps and opens pages has only the effects of the one that it is asked for.
func (m aim) effectsOf(c *plan.Capability) []string {
	out := c.Effects
	if m.copyOf > 0 || m.isPageAction() || m.isPageControl() {
		return slices.Clone(out)
	}
	if m.goal.GoalType != plan.AppLaunch || m.app.Browser {
		return slices.Clone(out)
	}
	var names []string
	for _, e := range out {
		if !strings.HasPrefix(e, "browser_") && !strings.HasPrefix(e, "page_") && !strings.HasPrefix(e, "url_") {
			names = append(names, e)
		}
	}
	return names
}
