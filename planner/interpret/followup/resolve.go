package followup

import (
	"cmp"
	"path"
	"slices"
)

// Candidate is a thing that a reference may mean.
type Candidate struct {
	Thing
	Age int // seconds
}

// Missing says why a reference means nothing.
type Missing string

// Reasons of [Context.Resolve].
const (
	Nothing Missing = "nothing" // no earlier goal was about such a thing
	NoList  Missing = "no_list" // no earlier goal listed anything
	Short   Missing = "short"   // the list is too short
	Other   Missing = "other"   // the list has things of another kind there
	Old     Missing = "old"     // what it could mean is too old
)

// Resolve lists the things that a reference may mean, the latest first. If there are none, it says
// why. With [Old] it lists the things that are too old.
func (c Context) Resolve(r Reference) ([]Candidate, Missing) {
	if r.Nth != 0 {
		return c.resolvePlace(r)
	}
	if c.Window != nil && r.Noun == "page" {
		out := []Candidate{{Thing: *c.Window}}
		if c.ranUnseen() {
			for _, th := range c.Page.Things {
				out = append(out, Candidate{th, c.Page.Age})
			}
		}
		return out, ""
	}
	var fresh, old []Candidate
	if folder := c.Files.Into; folder != nil && !folder.IsOwn && (r.IsFeminine || r.Noun == "folder") && !IsOld(c.Files.Age) { // «переименуй её» after «положи a.txt в папку b»
		fresh = append(fresh, Candidate{*folder, c.Files.Age})
	}
	for _, p := range c.parts() {
		for _, th := range p.Things {
			switch {
			case !fits(r.Noun, th.Kind):
			case IsOld(p.Age):
				old = append(old, Candidate{th, p.Age})
			default:
				fresh = append(fresh, Candidate{th, p.Age})
			}
		}
	}
	switch {
	case len(fresh) > 0:
		return fresh, ""
	case len(old) > 0:
		return old, Old
	}
	return nil, Nothing
}

// parts are the parts of things, the latest first. A page is the one that the visible browser shows.
func (c Context) parts() []Part {
	page := c.Page
	if c.Window != nil && len(page.Things) > 0 && !c.ranUnseen() { // where the user went on from the page of the last goal
		page.Things = []Thing{*c.Window}
	}
	out := []Part{page, c.Files, c.App}
	slices.SortStableFunc(out, func(a, b Part) int { return cmp.Compare(a.Age, b.Age) })
	return out
}

// resolvePlace resolves "the first one".
func (c Context) resolvePlace(r Reference) ([]Candidate, Missing) {
	l := c.List
	if len(l.Things) == 0 {
		return nil, NoList
	}
	all := slices.Clone(l.Things)
	if r.Noun != "" && r.Noun != "one" { // "the second folder" of a list of files and folders
		all = slices.DeleteFunc(all, func(t Thing) bool { return !fits(r.Noun, t.Kind) && !(r.Noun == result && t.Kind.IsPath()) })
	}
	if len(all) == 0 {
		return nil, Other
	}
	i := r.Nth - 1
	if r.Nth == ofList {
		i = len(all) - 1
	}
	if i >= len(all) || r.Nth == ofList && l.More {
		return nil, Short
	}
	found := []Candidate{{all[i], l.Age}}
	if IsOld(l.Age) {
		return found, Old
	}
	return found, ""
}

// fits reports whether a noun can mean a thing of a kind. "the document" may be a page.
func fits(noun string, k Kind) bool {
	switch noun {
	case "file":
		return k == File
	case "folder":
		return k == Folder
	case "page", link, result:
		return k == Page
	case "app":
		return k == App
	}
	return true
}

// Name is how a thing is called in a list: the path, the URL or the id.
func (t Thing) Name() string {
	if t.Kind.IsPath() {
		return path.Clean(t.Ref)
	}
	return t.Ref
}
