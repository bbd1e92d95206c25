package suggest

import (
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/refusal"
	"errand/planner/plan"
)

// maxOfferedQuery is the longest text, in bytes, that is offered as a query.
const maxOfferedQuery = 200

// nearReasons are the reasons for which near goals are offered. Text that forbids
// something, or was refused for safety, gets no offers.
var nearReasons = []string{"reason.out_of_reach", refusal.WebQuestion, "reason.no_page", "reason.no_site", "reason.no_type", "reason.page_pictures_only", "reason.page_pdf_only", "reason.page_text_only", "reason.no_download", "reason.no_local_search"}

// aloneReasons are the reasons of texts that name a program without wanting it open.
var aloneReasons = []string{"other_goal.programs", "other_goal.shell", "other_goal.control", "other_goal.edit", "other_goal.data"}

// searchReasons are the reasons of texts that a search may answer. The others are about the user's
// own data, which no search finds, or ask for an act: "read the file a.txt", "call mom".
var searchReasons = []string{"reason.out_of_reach", refusal.WebQuestion, "reason.no_site"}

// actKinds begin texts that ask for an act, which no search does.
var actKinds = slices.Concat(lexicon.FileVerbs, []lexicon.Kind{lexicon.FileAction, lexicon.PageAction, lexicon.OtherAction, lexicon.OtherThing, lexicon.Device, lexicon.Save, lexicon.Download, lexicon.Screenshot})

// searchKinds begin texts that a search may answer, and are stronger than actKinds.
var searchKinds = []lexicon.Kind{lexicon.Interrogative, lexicon.Finite, lexicon.Ask, lexicon.OtherGoal}

// Nearest offers goals similar to an unsupported text, best first, at most limit of them:
// the same on a media site, the site, app, file or folder that the text names, and a
// search for its words. The interpreter understands each of them. It never offers a
// deletion, and offers nothing for texts that forbid, withdraw or delete something.
func (s *Suggester) Nearest(text string, limit int) []string {
	r, ok := s.in.Refusal(text)
	isNear := slices.Contains(nearReasons, r.Reason) || refusal.IsOtherGoal(r.Reason)
	if !ok || limit <= 0 || !isNear || r.Withdrawn || r.Deletes {
		return nil
	}
	p := r.Text
	lo, _ := p.SkipLead(0, len(p.Tokens))
	hi := p.TrimTail(lo, len(p.Tokens), true)
	if lo >= hi {
		return nil
	}
	n := nearest{Text: p, language: s.detectLanguage(text, ""), lo: lo, hi: hi, isQuestion: r.Reason == refusal.WebQuestion, text: text[p.Tokens[lo].Start:p.Tokens[hi-1].End]}
	if n.isContrary(p.Tokens[lo]) {
		return nil
	}
	n.selection = candidates{in: s.in, limit: limit}
	if !refusal.IsOtherGoal(r.Reason) || r.Reason == refusal.NothingToPlay {
		n.offerMedia()
	}
	if !slices.Contains(aloneReasons, r.Reason) {
		n.offerNames()
	}
	if slices.Contains(searchReasons, r.Reason) && n.isSearchable() {
		n.offerSearch()
	} else {
		n.offerFile()
	}
	return n.selection.texts
}

// nearest collects goals near to one text.
type nearest struct {
	*parse.Text
	language   *language
	selection  candidates
	lo, hi     int
	isQuestion bool   // the web may answer it
	text       string // the text without politeness
}

// hasKind reports whether the text has a phrase of a kind.
func (n *nearest) hasKind(k lexicon.Kind) bool {
	for at := n.lo; at < n.hi; at++ {
		if _, ok := n.Longest(at, n.hi, k); ok {
			return true
		}
	}
	return false
}

// isContrary reports whether a word is the opposite of opening, such as "close". Then no
// goal is similar.
func (n *nearest) isContrary(t lexicon.Token) bool {
	return slices.Contains(n.language.pack.Offers.Contrary, t.Fold)
}

// offer fills a form and keeps the text if it is understood and wanted accepts its
// goal.
func (n *nearest) offer(phrase, own string, name catalogue.Name, wanted func(plan.Goal) bool) {
	var words []string
	for _, p := range newForm(phrase) {
		switch {
		case p.slot == "":
			words = append(words, p.word)
		case p.isClosed():
			words = append(words, catalogue.Decline(n.language.ownName(name), p.in))
		default:
			words = append(words, own)
		}
	}
	text := strings.Join(words, " ")
	if goals := n.selection.in.Read(text).Goals.Goals; len(goals) == 1 && wanted(goals[0]) {
		n.selection.keep(text, "")
	}
}

// offerMedia offers media sites for a text about playing.
func (n *nearest) offerMedia() {
	if !n.hasKind(lexicon.Play) || n.hasKind(lexicon.On) || refusal.IsOwn(n.Text, n.lo, n.hi) {
		return
	}
	for _, name := range n.language.media {
		n.offer(n.language.pack.Offers.On, n.text, name, func(g plan.Goal) bool {
			return g.GoalType == plan.BrowserSearch && g.Platform == name.ID
		})
	}
}

// offerNames offers to open the sites and apps that the text names.
func (n *nearest) offerNames() {
	if slices.ContainsFunc(n.Tokens[n.lo:n.hi], n.isContrary) {
		return
	}
	for at := n.lo; at < n.hi; at++ {
		m, ok := n.Longest(at, n.hi, lexicon.Site, lexicon.App)
		if !ok || at == n.lo && m.Len == n.hi-n.lo || n.isOwnThing(at, m.Len) {
			continue
		}
		for _, name := range n.language.names {
			if name.ID != m.Value {
				continue
			}
			for _, phrase := range n.language.pack.Offers.Open {
				n.offer(phrase, "", name, func(g plan.Goal) bool { return g.Platform == m.Value || g.Target == m.Value })
			}
			break
		}
		at += m.Len - 1
	}
}

// isOwnThing reports whether the name of a site or an app is also an ordinary word, or a word for
// something of the user's own: "files", «диплом».
func (n *nearest) isOwnThing(at, size int) bool {
	_, function := n.Longest(at, n.hi, lexicon.FunctionWord)
	if t := n.Tokens[at]; function || size == 1 && t.End-t.Start == 1 {
		return true // "can i use", "x"
	}
	own, ok := n.Longest(at, n.hi, lexicon.File, lexicon.Files, lexicon.Folder, lexicon.Folders, lexicon.OwnDocument, lexicon.OwnPaper, lexicon.OwnMedia)
	return ok && own.Len >= size
}

// isSearchable reports whether a search may find what the text wants: it asks for no act and
// names nothing of the user's own.
func (n *nearest) isSearchable() bool {
	_, asks := n.Longest(n.lo, n.hi, searchKinds...)
	_, acts := n.Longest(n.lo, n.hi, actKinds...)
	return (asks || !acts) && !refusal.IsOwn(n.Text, n.lo, n.hi)
}

// offerFile offers to create the file or folder that a text about creating names.
func (n *nearest) offerFile() {
	if _, creates := n.Longest(n.lo, n.hi, lexicon.Create, lexicon.Make, lexicon.Mkdir, lexicon.Touch); !creates {
		return
	}
	for at := n.lo; at < n.hi; at++ {
		phrase := n.language.pack.Offers.CreateFile
		next := at
		if m, ok := n.Longest(at, n.hi, lexicon.Folder, lexicon.File); ok {
			if next = at + m.Len; m.Kind == lexicon.Folder {
				phrase = n.language.pack.Offers.CreateFolder
			}
			next = n.Skip(next, n.hi, lexicon.NameMarker)
		} else if n.Tokens[at].Shape != lexicon.FileShape {
			continue
		}
		if _, function := n.Longest(next, n.hi, lexicon.FunctionWord); !function && next < n.hi && (n.Tokens[next].Shape == lexicon.WordShape || n.Tokens[next].Shape == lexicon.FileShape || n.Tokens[next].Shape == lexicon.QuotedShape) {
			if t := n.Tokens[next]; t.Shape == lexicon.FileShape && next+1 < n.hi {
				return // "make a.txt read only"
			}
			t := n.Tokens[next]
			n.offer(phrase, n.Source[t.Start:t.End], catalogue.Name{}, func(g plan.Goal) bool { return g.GoalType == plan.FileOperation && g.Action == "create" })
			return
		}
	}
}

// offerSearch offers to search for all of the words except politeness.
func (n *nearest) offerSearch() {
	hi := n.TrimTail(n.lo, len(n.Tokens), false)
	lo := n.SkipMarks(0, hi)
	for lo < n.lo {
		m, lead := n.Longest(lo, hi, lexicon.Lead, lexicon.LeadGerund, lexicon.LeadAsk)
		_, polite := n.Longest(lo, hi, lexicon.Tail)
		if end := lo + m.Len; !lead || end >= hi || !polite && n.Tokens[end].Shape != lexicon.MarkShape {
			break
		}
		lo = n.SkipMarks(lo+m.Len, hi)
	}
	for _, about := range []int{lo, n.lo} {
		if m, ok := n.Longest(about, hi, lexicon.OtherGoal); ok && m.Value == refusal.SearchAbout && about+m.Len < hi {
			lo = n.SkipMarks(about+m.Len, hi)
			break
		}
	}
	phrase := n.Source[n.Tokens[lo].Start:n.Tokens[hi-1].End]
	if len(phrase) > maxOfferedQuery {
		return
	}
	before := len(n.selection.texts)
	for _, query := range []string{phrase, `"` + phrase + `"`} { // some words mean something else without quotes
		if len(n.selection.texts) > before || query != phrase && !n.isQuestion {
			break
		}
		n.offer(n.language.pack.Offers.Search, query, catalogue.Name{}, func(g plan.Goal) bool {
			return g.GoalType == plan.BrowserSearch && lexicon.WithoutQuotes(g.Query) == phrase
		})
	}
}
