package planner

import (
	"slices"
	"strconv"

	"errand/planner/message"
	"errand/planner/plan"
)

// controlEffects are the effects of goals about the open page whose name is not object plus past
// tense.
var controlEffects = map[string]string{
	plan.FindOnPage: "text_shown", plan.PressKey: "key_pressed", plan.NewTab: "tab_opened", plan.BackPage: "page_moved", plan.ForwardPage: "page_moved",
	plan.ScreenshotPage: "screenshot_taken", plan.ScreenshotFullPage: "screenshot_taken", plan.ReadPage: "page_read",
}

// readPageControl reads a goal about the page that is open or about tabs. A page must be open, or
// an earlier goal must open one.
func readPageControl(a *agenda, m *aim) {
	g := &m.goal
	m.action, g.ObjectType = normalizeID(g.Action), normalizeID(g.ObjectType)
	g.Action = m.action
	key := m.fileKey()
	if m.effect = controlEffects[key]; m.effect == "" {
		m.effect = g.ObjectType + "_" + pastTense(m.action)
	}
	if !plan.OpensTab(key) && !a.hasPage {
		m.refusal = message.New("reason.open_page_first", "lost", slices.Contains(a.request.World.RecentFacts, plan.WindowLost))
	}
	m.readDestination(key)
}

// opensPage reports whether an aim opens a page that the aims after it are about.
func (m aim) opensPage() bool {
	return m.refusal.IsZero() && (m.url != "" && !opensExternally(m.goal) || m.isPageControl() && plan.OpensTab(m.fileKey()))
}

// isPageControl reports whether an aim is about the open page.
func (m aim) isPageControl() bool { return m.goal.ControlsPage() && m.copyOf == 0 }

// usesBrowser reports whether an aim opens a page or acts on one.
func (m aim) usesBrowser() bool { return m.isPageControl() || m.url != "" }

// orderOf is the order of a goal about a page, see [aim].
func (a *agenda) orderOf(g plan.Goal) int {
	switch g.GoalType {
	case plan.BrowserSearch, plan.BrowserNavigate:
		return a.controls
	case plan.PageControl:
		return a.controls + 1
	}
	return 0
}

// orderPageControls keeps goals about the open page in the order of the words, among all goals
// about pages: what they are about depends on it.
func orderPageControls(a *agenda) {
	control, from := -1, 0 // the last one, and the first aim after it
	for i, m := range a.aims {
		if !m.usesBrowser() {
			continue
		}
		if control >= 0 {
			a.addNeed(i, control)
		}
		if !m.isPageControl() {
			continue
		}
		for j := from; j < i; j++ {
			if a.aims[j].usesBrowser() {
				a.addNeed(i, j)
			}
		}
		control, from = i, i+1
	}
}

// littleScreen and wholeScreen are how far a page scrolls, in screens.
const (
	littleScreen = 0.3
	wholeScreen  = 0.9
)

// openPageArgs are the arguments of a tool for a goal about the open page.
func (m aim) openPageArgs(c *plan.Capability) (map[string]any, bool) {
	args := map[string]any{}
	put := func(name string, value any) bool {
		if c.Params != nil && !slices.Contains(c.Params, name) {
			return false
		}
		args[name] = value
		return true
	}
	g, key := m.goal, m.fileKey()
	switch key {
	case plan.BackPage, plan.ForwardPage:
		return args, g.Limit <= 1 || put("times", g.Limit)
	case plan.SwitchTab, plan.CloseTab:
		ok := g.Value != plan.OtherTabs || put("others", true)
		return args, (g.Target == "" || put(tabArgument(g.Target))) && ok
	case plan.ScrollPage:
		return args, put(scrollArgument(g.Value, max(g.Limit, 1)))
	case plan.ZoomPage:
		if percent, err := strconv.Atoi(g.Value); err == nil {
			return args, put("percent", percent)
		}
		return args, put("step", g.Value)
	case plan.FindOnPage:
		return args, put("text", g.Value) && (g.Limit <= 1 || put("nth", g.Limit))
	case plan.OpenResult, plan.OpenLink:
		nth := max(g.Limit, 1)
		if g.Value == plan.LastOne {
			nth = -1
		}
		return args, put("nth", nth) && put("kind", g.ObjectType)
	case plan.ClickControl:
		locator := map[string]any{"control": g.Target}
		if g.Limit > 0 {
			locator["nth"] = g.Limit
		}
		return args, put("locator", locator)
	case plan.TypeText:
		locator := map[string]any{"field": g.Target}
		if g.Target == "" {
			locator = map[string]any{"css": ":focus"}
		}
		return args, put("locator", locator) && put("value", g.Value)
	case plan.PressKey:
		return args, put("key", g.Value)
	case plan.SubmitForm:
		return args, put("locator", map[string]any{"css": "form"})
	}
	return m.pageArgs(c)
}

// tabArgument is the argument that names a tab.
func tabArgument(target string) (name string, value any) {
	switch target {
	case "next", "previous", "first", "last":
		return "to", target
	}
	if n, err := strconv.Atoi(target); err == nil && n > 0 {
		return "number", n
	}
	return "words", target
}

// scrollArgument is the argument that says where to scroll.
func scrollArgument(value string, times int) (name string, to any) {
	by, known := map[string]float64{"down": wholeScreen, "up": -wholeScreen, "down_little": littleScreen, "up_little": -littleScreen}[value]
	if !known {
		return "to", value
	}
	return "by", by * float64(times)
}

// previewOpenPage describes what a goal about the open page does.
func (m aim) previewOpenPage() message.Message {
	g := m.goal
	preview := message.New("plan.page_control", "action", m.fileKey(), "target", oneLine(g.Target), "value", oneLine(g.Value), "number", max(g.Limit, 1))
	switch {
	case (m.fileKey() == plan.OpenResult || m.fileKey() == plan.OpenLink) && g.Value == plan.LastOne:
		preview = message.New("plan.open_last", "kind", g.ObjectType)
	case (m.fileKey() == plan.BackPage || m.fileKey() == plan.ForwardPage) && g.Limit > 1:
		preview = message.New("plan.move_pages", "action", m.fileKey(), "count", g.Limit)
	case m.fileKey() == plan.TypeText && g.Target == "":
		preview = message.New("plan.type_here", "text", oneLine(g.Value))
	case m.fileKey() == plan.TypeText && g.Target == plan.SearchField:
		preview = message.New("plan.type_search", "text", oneLine(g.Value))
	case m.fileKey() == plan.SwitchTab, m.fileKey() == plan.CloseTab && g.Target != "":
		name, value := tabArgument(g.Target)
		preview = message.New("plan.tab_action", "action", m.fileKey(), "which", name, "value", value)
	case m.fileKey() == plan.CloseTab && g.Value == plan.OtherTabs:
		preview = message.New("plan.close_other_tabs")
	}
	if m.path != "" {
		preview = message.New("plan.kept_in", "preview", preview, "path", oneLine(m.path))
	}
	return preview
}
