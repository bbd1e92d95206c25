package tool

// PageUse says how a call uses the page that its run has open in the browser.
type PageUse string

// Uses of a page. All except NoPage and OpensPage need an open page.
const (
	NoPage     PageUse = ""       // doesn't use a page
	OpensPage  PageUse = "opens"  // opens a new page
	UsesPage   PageUse = "uses"   // reads the page or, unless its effect is a read, changes it
	AwaitsPage PageUse = "awaits" // waits until the page is in a state that later calls rely on
	ChecksPage PageUse = "checks" // fails unless the page is in a state that later calls rely on
	LeavesPage PageUse = "leaves" // takes something from the page without changing it
	// Of the tabs: the argument tab has the id of one, such as t2, in the order of opening.
	SwitchesPage PageUse = "switches" // makes another tab's page the open one
	ClosesPage   PageUse = "closes"   // closes a tab: the current one, if the argument is missing
)

// NeedsPage reports whether a call needs an open page.
func (u PageUse) NeedsPage() bool { return u != NoPage && u != OpensPage }

// PageUse returns how a call with these arguments uses its run's page.
func (s Spec) PageUse(args map[string]any) PageUse {
	if s.PageOfURL != nil && args["url"] != nil {
		return *s.PageOfURL
	}
	return s.Page
}

// PageURL returns the URL, or its pattern, of the page that a call opens, or of the page that
// the call requires; "" if the arguments name none.
func (s Spec) PageURL(args map[string]any) string {
	if s.PageURLOf != nil {
		return s.PageURLOf(args)
	}
	raw, _ := args["url"].(string)
	return raw
}
