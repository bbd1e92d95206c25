// Package item reads how words describe one file or folder: its type, its name and its place.
package item

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// Item is one file or folder as the words describe it.
type Item struct {
	Object string // folder, file or ""
	Ext    string // ".py", from "python file"
	parse.Location
	placeFirst bool // the words say where before they say what
	Plural     bool
	named      bool // "called …": everything that follows is the name
	Typed      bool // the words give the type
	Name       parse.Span
	Problem    string     // key of a question
	doubt      parse.Span // what the question is about
	at         parse.Span // the words that an answer replaces
	rest       parse.Span // the whole description without the place
	withPlace  parse.Span // the same with it
	// The name may consist of the kind only: "a pdf file".
	hasKindOnly bool
	isDescribed bool       // the words before the noun describe it and don't name it: "the biggest file"
	Unknown     parse.Span // the words of a place that is not known: "in google drive"
	isElsewhere bool       // that place is not on this computer
	contents    parse.Span // "with everything in it"
	refusal     string     // key of the reason
}

// Reader reads how words describe one file or folder: its type, its name and its place.
type Reader struct{ *parse.Text }

// Item reads one description: adjectives, type, place, "called", name, place, in any
// order that people use.
func (p *Reader) Item(c *parse.Clause, lo, hi int) Item {
	it := Item{}
	deleting := c.Action() == "delete"
	switch c.VerbKind {
	case lexicon.Mkdir, lexicon.Rmdir:
		it.Object, it.Typed = parse.FolderType, true
	case lexicon.Touch:
		it.Object, it.Typed = parse.FileType, true
	}
	whole := hi
	if hi = p.TrimPoliteEnd(lo, hi); deleting {
		hi = p.TrimCondition(lo, hi, lexicon.IfThere)
	} else {
		hi = p.TrimCondition(lo, hi, lexicon.IfMissing)
	}
	if m, ok := p.FindEnding(lo+1, hi, lexicon.OwnDeed); ok { // "installer.deb i downloaded"
		if end := hi - m.Len; p.Tokens[end-1].Shape == lexicon.FileShape {
			hi = end
		}
	}
	hi, here := p.TrimAdverbs(lo, p.TrimEmoji(lo, p.TrimPoliteEnd(lo, hi)))
	var tail Item // its place stands after other words: "with its contents from documents"
	if deleting {
		lo, hi = trimTrash(p, lo, hi)
		end := hi
		m, ok := p.FindEnding(lo+1, end, lexicon.Contents)
		if !ok {
			end = p.TrimPlace(&tail, lo, hi)
			m, ok = p.FindEnding(lo+1, end, lexicon.Contents)
		}
		if ok {
			it.contents = parse.Span{Lo: end - m.Len, Hi: end}
			hi = p.TrimPoliteEnd(lo, end-m.Len)
		} else {
			tail = Item{}
		}
	}
	if at := p.PlaceAt(&it, lo, hi); at < hi { // «там» is a filler elsewhere
		lo = at
	} else {
		it.Location = parse.Location{}
	}
	it.withPlace = parse.Span{Lo: p.SkipFillers(lo, hi), Hi: hi}
	end, emoji := hi, hi > lo && p.Tokens[hi-1].Shape == lexicon.SymbolShape
	lo = p.SkipFillers(lo, hi)
	if lo >= hi {
		it.Problem, it.at, it.rest = "question.name", parse.Span{Lo: lo, Hi: lo}, parse.Span{Lo: lo, Hi: lo}
		if deleting {
			it.Problem = "question.delete"
		}
		return it
	}
	it.rest = parse.Span{Lo: lo, Hi: p.TrimPlace(&Item{}, lo, hi)}
	if deleting && IsBulk(p.Text, lo, hi) {
		it.Problem, it.at = "question.bulk", it.rest
		return it
	}
	lo = p.folderFirst(&it, p.PlaceAt(&it, lo, hi), hi)
	it.placeFirst = it.IsKnown()

	// Adjectives and the type.
	noun := p.Describe(&it, lo, hi)
	rest := noun
	if noun == lo && !it.Typed {
		rest = p.Skip(lo, hi, lexicon.Determiner, lexicon.Empty)
		if rest >= hi {
			rest = lo
		}
	}
	at := p.placeBeforeName(&it, p.PlaceAt(&it, rest, hi), hi)
	it.placeFirst = it.IsKnown()
	hi = p.TrimPlace(&it, at, hi)
	if !it.IsKnown() {
		it.Location = tail.Location
	}
	if here && !it.IsKnown() {
		it.Place = WorkingFolder
	}
	rest = at
	if _, vague := p.Longest(rest, hi, lexicon.Vague); !deleting || !vague { // "a file like a.txt"
		rest = p.SkipFillers(rest, hi)
	}
	if m, ok := p.Longest(rest, hi, lexicon.NameMarker); ok && rest+m.Len <= hi && (it.Typed || rest+m.Len < hi) {
		it.named = true
		rest = p.SkipPauses(rest+m.Len, hi)
	}
	if m, ok := p.Longest(rest, hi, lexicon.NamesFor); ok && !deleting && it.Plural && it.Object == parse.FolderType && !saysCount(p.Text, lo, rest) && areListed(p.Text, parse.Span{Lo: rest + m.Len, Hi: hi}) {
		rest += m.Len
	}
	it.Name = parse.Span{Lo: rest, Hi: hi}
	if rest >= hi && rest < whole && p.Tokens[rest].Shape == lexicon.SymbolShape {
		it.Name.Hi = rest + 1 // a name may be an emoji
	}

	if !it.Typed {
		p.guessType(&it, deleting)
	}
	if it.Object == "" && rest < len(p.Tokens) {
		it.Object = p.Hint(rest).Object
		it.Typed = it.Object != ""
	}
	var decoration parse.Span
	if emoji {
		decoration = parse.Span{Lo: end - 1, Hi: end}
	}
	it.findProblem(p, deleting, lo, decoration)
	p.refuseUnsafe(c, &it)
	return it
}

// findProblem sets what keeps a description from being one file or folder. lo is where it
// begins; decoration is a symbol at its end.
func (it *Item) findProblem(p *Reader, deleting bool, lo int, decoration parse.Span) {
	it.at = parse.Span{Lo: it.Name.Lo, Hi: max(it.Name.Lo, it.Name.Hi)}
	switch {
	case it.Name.Lo >= it.Name.Hi || isPunctuation(p.Text, it.Name), it.hasKindOnly && IsIndefinite(p.Text, lo, it.Name.Lo), it.isDescribed:
		it.Problem = "question.name"
	case !deleting && !it.named && isForEach(p, it.Name):
		it.Problem = "question.name"
	case isPlaceholder(p.Text, *it), deleting && !it.named && parse.DropsName(p.Text, lo, it.Name.Lo):
		it.Problem = "question.name"
	case deleting && (p.IsPhrase(it.Name.Lo, it.Name.Hi, lexicon.Place) && !it.named || !it.Typed && isOwnPath(p.Text, it.Name)):
		it.Problem = "question.delete" // the desktop itself
	case deleting && IsBulk(p.Text, it.Name.Lo, it.Name.Hi) && (!it.Typed || it.Plural || hasWildcard(p.Text, it.Name)):
		it.Problem = "question.bulk"
	case !it.named && (isDescription(p.Text, it.Name) || isAdverbial(p.Text, it.Name, deleting)):
		it.Problem = "question.name"
	case hasChoice(p.Text, it, deleting):
		it.Problem = "question.choice"
	case it.Object == "" && !(deleting && p.findRemark(it)):
		it.Problem = "question.type"
	case deleting && decoration.Hi > 0 && (it.Name.Hi > it.Name.Lo+1 || it.Folder != ""):
		it.Problem, it.doubt, it.at = "question.partial", decoration, it.Name
	case p.findNameEnd(it, deleting):
		it.Problem, it.at = "question.partial", it.questionSpan(deleting)
		if isUnknownPlace(p.Text, it.doubt) {
			it.Unknown = it.doubt
			it.Name.Hi = min(it.Name.Hi, it.doubt.Lo)
		}
	case parse.IsOutside(p.Text, it.Location, it.Name.Lo, it.Name.Hi):
		it.Problem, it.doubt, it.at = "question.partial", parse.Span{Lo: it.Name.Hi, Hi: it.withPlace.Hi}, it.rest
	case it.contents.Lo < it.contents.Hi && it.Object != parse.FolderType:
		it.Problem, it.doubt, it.at = "question.partial", it.contents, it.Name
	}
	if it.Unknown.Lo < it.Unknown.Hi && (it.Problem == "" || it.Problem == "question.partial" && it.Unknown == it.doubt) {
		it.Problem = "question.place"
	}
	if it.Problem == "question.name" && it.hasKindOnly {
		it.at.Lo = it.at.Hi // "a pdf file": the name follows
	}
	if deleting && it.Problem == "question.name" {
		it.Problem = "question.delete"
	}
}

// ownFolder returns the folder of the user that an item is, such as "~/Documents", or "" if
// it is another.
func ownFolder(p *parse.Text, it Item) string {
	place := it.Place
	if m, ok := p.Longest(it.Name.Lo, it.Name.Hi, lexicon.Place); ok && m.Len == it.Name.Hi-it.Name.Lo {
		place = m.Value
	}
	if isOwnPath(p, it.Name) {
		place = p.Cut(it.Name.Lo, it.Name.Hi)
	}
	return strings.TrimSuffix(place, "/")
}

// isOwnPath reports whether a name is the path of a folder of the user: "~/Documents".
func isOwnPath(p *parse.Text, q parse.Span) bool {
	rest, home := strings.CutPrefix(strings.TrimSuffix(p.Cut(q.Lo, q.Hi), "/"), "~/")
	if !home || rest == "" {
		return false
	}
	m, ok := p.Words.Single(lexicon.Fold(rest), lexicon.Place)
	return ok && m.Value == "~/"+rest+"/"
}

// isOwnFolder reports whether all words of an item name a folder of the user: "my desktop", and
// not "the file on my desktop".
func isOwnFolder(p *Reader, it Item) bool {
	return isOwnPath(p.Text, it.Name) || p.IsPhrase(it.Name.Lo, it.Name.Hi, lexicon.Place) || p.IsPhrase(it.withPlace.Lo, it.withPlace.Hi, lexicon.OwnFolder, lexicon.Place)
}

// isElsewhereThing reports whether a name without a type is a site, an app or an account: "youtube",
// "google account".
func isElsewhereThing(p *parse.Text, q parse.Span) bool {
	_, account := p.FindEnding(q.Lo, q.Hi, lexicon.Account, lexicon.AppNoun, lexicon.SiteNoun)
	return account || p.IsPhrase(q.Lo, q.Hi, lexicon.Site, lexicon.App)
}

// Describe reads "a new empty python file" and sets what it says.
func (p *Reader) Describe(it *Item, lo, hi int) int {
	i := lo
	ext := ""
	for i < hi {
		m, ok := p.Longest(i, hi, lexicon.Folder, lexicon.Folders, lexicon.File, lexicon.Files, lexicon.Determiner, lexicon.Empty, lexicon.Number, lexicon.Extension, lexicon.Another)
		if n, is := p.Longest(i, hi, lexicon.FileNoun); is && n.Len >= m.Len && precedesFileName(p, i+n.Len, hi) {
			m, ok = n, true
		}
		if !ok {
			return lo
		}
		i += m.Len
		switch m.Kind {
		case lexicon.Extension:
			ext = m.Value
			continue
		case lexicon.Number:
			it.Plural = true
			continue
		case lexicon.Folder, lexicon.Folders:
			it.Object, it.Typed = parse.FolderType, true
		case lexicon.File, lexicon.Files, lexicon.FileNoun:
			it.Object, it.Typed, it.Ext = parse.FileType, true, ext
		case lexicon.Another:
			if it.Object == "" { // the type is that of the item before
				it.Typed = false
			}
			continue
		default:
			continue
		}
		it.Plural = it.Plural || m.Kind == lexicon.Folders || m.Kind == lexicon.Files
		for _, other := range p.Matches[i-m.Len] { // папки is one folder's genitive and many folders
			if other.Len == m.Len && (other.Kind == lexicon.Folders || other.Kind == lexicon.Files) {
				it.Plural = true
			}
		}
		return i
	}
	return lo
}

// precedesFileName reports whether a file name follows: "song.mp3", "called song.mp3".
func precedesFileName(p *Reader, i, hi int) bool {
	i = p.Skip(i, hi, lexicon.NameMarker)
	return i < hi && p.IsFileName(i)
}

// trimTrash drops "to the trash" around what is to be deleted.
func trimTrash(p *Reader, lo, hi int) (int, int) {
	if m, ok := p.Longest(lo, hi, lexicon.ToTrash); ok && lo+m.Len < hi {
		lo += m.Len
	}
	if m, ok := p.FindEnding(lo+1, hi, lexicon.ToTrash); ok {
		hi = p.TrimPoliteEnd(lo, hi-m.Len)
	}
	return lo, hi
}

// TrimPoliteEnd drops politeness at the end. A name may end in any single word
// ("never again"), so that only longer phrases are dropped.
func (p *Reader) TrimPoliteEnd(lo, hi int) int {
	for {
		hi = p.TrimTail(lo, hi, false)
		m, ok := p.FindEnding(lo, hi, lexicon.TailNow)
		isAfterPath := ok && m.Len < hi-lo && p.Tokens[hi-m.Len-1].Shape == lexicon.PathShape // "read it again"
		if !ok || m.Len < 2 && !isAfterPath || m.Len == hi-lo {
			return hi
		}
		hi -= m.Len
	}
}

// TrimCondition drops a condition at the end that the command has anyway: "delete a.txt if it exists".
func (p *Reader) TrimCondition(lo, hi int, kind lexicon.Kind) int {
	m, ok := p.FindEnding(lo+1, hi, kind)
	if !ok {
		return hi
	}
	return p.TrimPoliteEnd(lo, hi-m.Len)
}

// AddItem adds the goals of an item to c, or its question.
func (p *Reader) AddItem(c *parse.Clause, it Item) {
	c.Object, c.Plural, c.Ext = it.Object, it.Plural, it.Ext
	c.FreeText = !it.Plural
	switch {
	case it.refusal != "":
		c.Outcome, c.Reason = parse.Unknown, it.refusal
		return
	case c.VerbKind == lexicon.Put && !isNewThing(p.Text, c, it):
		c.Outcome, c.Reason = parse.Unknown, "reason.no_type"
		return
	case it.Problem == "question.type" && !isFileVerb(c.VerbKind) && !it.named:
		c.Outcome, c.Reason = parse.Unknown, "reason.no_type"
		return
	case it.Problem == "" && it.Inside && (it.Place != "" || it.Folder != ""):
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.partial", Words: p.Cut(c.Body, c.Hi), At: parse.Span{Lo: c.Body, Hi: c.Hi}}
		return
	case it.Problem == "question.place":
		AskPlace(p.Text, c, it)
		return
	case it.Problem != "":
		if it.Problem == "question.name" && !it.Typed && !isFileVerb(c.VerbKind) {
			c.Outcome, c.Reason = parse.Unknown, "reason.no_type"
			return
		}
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: it.Problem, Words: p.Cut(it.doubt.Lo, it.doubt.Hi), At: it.at, Description: it.rest}
		c.Ask.Optional, c.Ask.Name = it.Problem == "question.partial", it.Problem == "question.partial"
		if it.Problem == "question.delete" {
			if c.Ask.Words = ""; isOwnFolder(p, it) {
				c.Ask.Words = ownFolder(p.Text, it)
			}
		}
		if word := p.Cut(it.Name.Lo, it.Name.Hi); it.hasKindOnly && lexicon.IsFileExtension(word) {
			c.Ask.Ext = "." + word
		}
		if it.Problem == "question.choice" {
			c.Ask.Choices = p.Alternatives(it.Name.Lo, it.Name.Hi)
		}
		if it.Problem == "question.type" {
			name := p.Cut(it.Name.Lo, it.Name.Hi)
			if c.Action() == "delete" && isElsewhereThing(p.Text, it.Name) {
				c.Outcome, c.Reason = parse.Unknown, "reason.not_a_file"
				return
			}
			if _, article := p.Longest(c.Body, c.Hi, lexicon.OtherThing); article || isOtherThing(p.Text, c, it) {
				c.Outcome, c.Reason = parse.Unknown, "reason.no_type"
				return
			}
			c.Ask.Words = name
			c.Ask.Choices = []plan.Choice{{Label: message.New("question.choice_folder"), Value: parse.FolderType}, {Label: message.New("question.choice_file"), Value: parse.FileType}}
		}
		return
	}
	c.Outcome = parse.Understood
	if c.Action() == "create" && splitWords(p, c, &it) {
		return
	}
	it.Plural = it.Plural || AreFileNames(p.Text, it.Name)
	if it.Plural {
		c.Drafts = nil
		for _, q := range p.SplitNames(it.Name) {
			p.addFile(c, it, q)
		}
		return
	}
	p.addFile(c, it, it.Name)
}
