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
