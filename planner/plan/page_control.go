package plan

import "slices"

// Actions of page_control, as "<action>_<object_type>": the keys that a tool's can_achieve uses.
// They are about the page that is open, or about tabs. The actions of [PageActions] that need no
// address count too: [ReadPage], [ListLinks], [ListResults], [ScreenshotPage],
// [ScreenshotFullPage], [SavePDF], [SaveHTML], [SaveText].
const (
	NewTab       = "new_tab"
	CloseTab     = "close_tab"  // the tab in Target, or all others with [OtherTabs] in Value
	SwitchTab    = "switch_tab" // to the tab in Target: a number, next, previous, first, last, or words of its title or site
	ReopenTab    = "reopen_tab" // the tab that was closed last
	ListTabs     = "list_tabs"
	BackPage     = "back_page"    // Limit times
	ForwardPage  = "forward_page" // Limit times
	ReloadPage   = "reload_page"
	ScrollPage   = "scroll_page"   // Value: top, bottom, down, up, down_little or up_little; Limit times
	ZoomPage     = "zoom_page"     // Value: in, out, reset or a number of percent
	FindOnPage   = "find_on_page"  // scroll to the text in Value
	OpenResult   = "open_result"   // number Limit of the results, or [LastOne] in Value
	OpenLink     = "open_link"     // number Limit of the links, or [LastOne] in Value
	ClickControl = "click_control" // click what is called Target
	TypeText     = "type_text"     // put Value into the field that is called Target; empty: the one with the focus
	PressKey     = "press_key"     // press the key in Value
	SubmitForm   = "submit_form"   // send the form of the page
	PrintPage    = "print_page"    // make a document of it, as a printer would
)

// Values of a page_control goal.
const (
	OtherTabs   = "others"
	LastOne     = "last"
	SearchField = "@search" // as the Target of [TypeText]: the field that searches the site
)

// ControlsPage reports whether a goal is about the page that is open, or about tabs.
func (g Goal) ControlsPage() bool { return g.GoalType == PageControl }

// PageOpen is the fact that a page is open. Tools that act on the page require it.
const PageOpen = "page_open"

// WindowLost is the fact that the visible browser ended with a failure, and none has opened since.
const WindowLost = "window_lost"

// needsPageOnly are the actions that the words of an earlier goal may also be about: its page, or a
// list that it showed.
var needsPageOnly = []string{OpenResult, OpenLink, ReadPage, ListLinks, ListResults, ScreenshotPage, ScreenshotFullPage, SavePDF, SaveHTML, SaveText}

// MeansOpenPage reports whether an action by its key takes the open page, in words that may also mean
// another one.
func MeansOpenPage(key string) bool { return slices.Contains(needsPageOnly, key) }

// RefersToPage reports whether the first goal about pages takes the open one, in words that may
// also mean a page or a list of an earlier goal: "read this page", "open the second result".
func (s GoalSet) RefersToPage() bool {
	for _, g := range s.Goals {
		switch {
		case g.ControlsPage():
			return MeansOpenPage(g.Action + "_" + g.ObjectType)
		case g.GoalType == BrowserSearch, g.GoalType == BrowserNavigate:
			return false
		}
	}
	return false
}

// OpensTab reports whether a key opens a tab, and so needs no open page.
func OpensTab(key string) bool { return key == NewTab }

// LeavesPage reports whether another page may be the open one after an action.
func LeavesPage(key string) bool {
	switch key {
	case NewTab, CloseTab, SwitchTab, ReopenTab, BackPage, ForwardPage, OpenResult, OpenLink, ClickControl, PressKey, SubmitForm:
		return true
	}
	return false
}
