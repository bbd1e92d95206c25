package tool

// PageUse says what a call does with the page that its run has open in the
// browser.
type PageUse string

// Uses of a page. All but OpensPage need one that is open.
const (
	NoPage     PageUse = ""       // it has nothing to do with a page
	OpensPage  PageUse = "opens"  // it opens a page of its own
	UsesPage   PageUse = "uses"   // it looks at the page or, unless its effect is a read, changes it
	AwaitsPage PageUse = "awaits" // it waits until the page is in a state, which later calls count on
	ChecksPage PageUse = "checks" // it fails unless the page is in a state, which later calls count on
	LeavesPage PageUse = "leaves" // it takes something from the page and leaves it as it is
)

// NeedsPage reports whether a call needs a page that is open.
func (u PageUse) NeedsPage() bool { return u != NoPage && u != OpensPage }

// PageUse returns what a call with these arguments does with its run's page.
func (s Spec) PageUse(args map[string]any) PageUse {
	if s.PageOfURL != nil && args["url"] != nil {
		return *s.PageOfURL
	}
	return s.Page
}
