package files

import (
	"slices"
	"strings"

	"errand/planner/interpret/files/filter"
	"errand/planner/interpret/files/item"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Act reads a command about files or folders that exist: "move a.txt to documents", "list my
// downloads". It is strict, because most of these verbs have other objects as well: a clause
// is unknown unless its object is certainly a file, a folder or a place on this computer.
func (p *Reader) Act(lo, hi int) parse.Clause {
	return (&actReader{p}).read(lo, hi)
}

// actReader reads commands about files or folders that exist.
type actReader struct{ *Reader }

// read tries the actions of the verbs at token lo, the longest first.
func (p *actReader) read(lo, hi int) parse.Clause {
	if c, ok := p.askEmptying(lo, hi); ok {
		return c
	}
	if c, ok := p.askForever(lo, hi); ok {
		return c
	}
	if c, ok := p.askPart(lo, hi); ok {
		return c
	}
	for n := min(parse.MaxPhrase, hi-lo); n > 0; n-- {
		for _, m := range p.Matches[lo] {
			action := m.Value
			switch {
			case m.Kind == lexicon.Put:
				action = plan.AppendAction // "put hello at the end of a.txt"
			case m.Kind == lexicon.OtherGoal && m.Value == plan.MoveAction:
				action = putAction // "drop a.txt in documents"
			case m.Kind != lexicon.FileAction:
				continue
			}
			if m.Len != n {
				continue
			}
			c := parse.Clause{Frame: parse.ActFrame, Verb: parse.Span{Lo: lo, Hi: lo + n}, VerbKind: m.Kind, Lang: m.Lang, Body: lo + n}
			end := p.TrimCondition(c.Body, p.TrimPoliteEnd(c.Body, p.TrimEmoji(c.Body, p.TrimPoliteEnd(c.Body, hi))), lexicon.IfThere)
			if p.IsPolite(c.Body, end) {
				end = c.Body
			}
			if p.act(&c, action, p.SkipFillers(c.Body, end), end); c.Outcome != parse.Unknown || p.askExcept(&c, action, p.SkipFillers(c.Body, end), end) {
				return c
			}
		}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// askExcept asks about words that exclude some of what a command about files means, if the words
// before them are understood: "find pdf files in downloads except tickets".
func (p *actReader) askExcept(c *parse.Clause, action string, lo, hi int) bool {
	for i := lo + 1; i < hi; i++ {
		if m, ok := p.Longest(i, hi, lexicon.If, lexicon.Not, lexicon.But); !ok || i+m.Len >= hi {
			continue
		}
		try := *c
		if p.act(&try, action, lo, i); try.Outcome != parse.Understood {
			return false
		}
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: i, Hi: hi})
		return true
	}
	return false
}

// act reads the object of one action.
func (p *actReader) act(c *parse.Clause, action string, lo, hi int) {
	if lo >= hi {
		if action == plan.EmptyAction { // the verb names the trash
			p.addDraft(c, action, operand{object: plan.TrashType, span: c.Verb}, place{})
		}
		return
	}
	if !p.actOnFolders(c, action, lo, hi) && !p.actOnPair(c, action, lo, hi) {
		p.actOnOne(c, action, lo, hi)
	}
}

// ofOne are the actions that words for one file may follow which choose it by its order.
var ofOne = []string{plan.OpenAction, plan.ReadAction, plan.MeasureAction, plan.HashAction, plan.ZipAction, plan.UnzipAction}

// actOnOne reads one object, or several that share all other words.
func (p *actReader) actOnOne(c *parse.Clause, action string, lo, hi int) {
	if lo >= hi {
		return
	}
	if slices.Contains(ofOne, action) {
		if file, asks := chosen(p, c, lo, hi); asks || file != nil {
			p.actOn(c, action, file, place{})
			return
		}
	}
	switch action {
	case plan.MoveAction, plan.CopyAction:
		p.actWithPlace(c, action, lo, hi)
	case putAction:
		p.actPut(c, lo, hi)
	case plan.RenameAction:
		p.actRename(c, lo, hi)
	case plan.AppendAction:
		p.actAppend(c, lo, hi)
	case plan.ListAction:
		p.actList(c, lo, hi)
	case plan.FindAction:
		p.actFind(c, lo, hi)
	case plan.ZipAction, plan.UnzipAction:
		p.actWithPlace(c, action, lo, hi)
	case plan.OpenAction, plan.MeasureAction:
		if m, ok := p.FindEnding(lo+1, hi, lexicon.TakesUp); ok && action == plan.MeasureAction { // "do my pictures take up"
			hi -= m.Len
		}
		at, ok := p.ownFolder(lo, hi)
		if in, is := p.folderAt(lo, hi); !ok && is && action == plan.MeasureAction { // "how many files are in documents"
			at, ok = in, true
		}
		if ok {
			p.addDraft(c, action, operand{object: parse.FolderType, path: at, span: parse.Span{Lo: lo, Hi: hi}}, place{})
			return
		}
		if operands := p.operands(lo, hi, parse.Location{}); action != plan.OpenAction || !isOther(p.Text, operands) {
			p.actOn(c, action, operands, place{})
		}
	case plan.EmptyAction:
	default: // read, hash
		if end, ok := endOfReading(p.Text, lo, hi); ok && action == plan.ReadAction {
			hi = end
		}
		operands := p.operands(lo, hi, parse.Location{})
		for i := range operands {
			if operands[i].object == parse.FolderType || filter.IsArchive(operands[i].path) {
				return
			}
			operands[i].object = parse.FileType
		}
		p.actOn(c, action, operands, place{})
	}
}

// endOfReading is where the object of a command to read ends before words that only say how:
// "out loud", "what does a.txt say".
func endOfReading(p *parse.Text, lo, hi int) (end int, ok bool) {
	m, ok := p.FindEnding(lo+1, hi, lexicon.Says, lexicon.Aloud)
	return hi - m.Len, ok
}

// isOther reports whether the words of something to open name one thing that may be a site or a
// program as well: "docs.rs", "notepad.exe", "/usr/bin/firefox".
func isOther(p *parse.Text, operands []operand) bool {
	if len(operands) != 1 || operands[0].located || !operands[0].untyped || !item.IsFileToken(p, operands[0].span) {
		return false
	}
	path := operands[0].path
	ext := lexicon.FileExtension(path)
	if p.Hint(operands[0].span.Lo).Object != "" && ext != "exe" {
		return false // it is known to be there
	}
	return lexicon.IsDomain(path) || ext == "exe" || ext == "" && !strings.HasPrefix(path, "~/")
}

// actWithPlace reads "X to Y". Without Y, it asks for it where the action needs one.
func (p *actReader) actWithPlace(c *parse.Clause, action string, lo, hi int) {
	packs := action == plan.ZipAction || action == plan.UnzipAction
	if m, ok := p.FindEnding(lo+1, hi, lexicon.AsArchive); ok && action == plan.ZipAction {
		hi -= m.Len
	}
	if _, ok := p.FindEnding(lo+1, hi, lexicon.ToTrash); ok && action == plan.MoveAction {
		*c = p.Read(lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Delete, Lang: c.Lang}}, c.Verb, lo, hi)
		return
	}
	if m, ok := p.Longest(lo, hi, lexicon.InIt); ok && !packs { // "copy there a.txt"
		operands := p.operands(lo+m.Len, hi, parse.Location{})
		if files, ok := p.several(lo+m.Len, hi, true); ok && files.located { // «перенеси туда все pdf из загрузок»
			operands = []operand{files}
		}
		if operands != nil {
			p.actOn(c, action, operands, place{span: parse.Span{Lo: lo, Hi: lo + m.Len}, isNew: true})
			return
		}
	}
	if action != plan.UnzipAction && p.actWithName(c, action, lo, hi) {
		return
	}
	goes := false // the words say where
	for i := lo + 1; i < hi; i++ {
		if p.actWithPlaces(c, action, lo, i, hi) {
			return
		}
		to, ok := p.destination(i, hi)
		if !ok {
			continue
		}
		if files, ok := p.several(lo, i, true); ok && !packs && (files.located || to.isCertain) {
			if !files.located {
				p.askFolder(c, files)
				return
			}
			p.actOn(c, action, []operand{files}, to)
			return
		}
		operands := p.objects(action, lo, i)
		if operands == nil && to.isCertain {
			operands = p.bareOperand(lo, i)
		}
		if at, ok := unknownSource(p.Text, lo, i); ok && operands == nil {
			c.Outcome, c.Ask = parse.Asks, p.AskPlace(at)
			c.Ask.Choices = append(c.Ask.Choices, folderChoice(c.Ask.Words))
			return
		}
		goes = true
		if operands != nil {
			p.actOn(c, action, operands, placeBeside(operands, to))
			return
		}
	}
	if action == plan.CopyAction && p.copyInto(c, lo, hi) {
		return
	}
	operands := p.objects(action, lo, hi)
	if files, ok := p.several(lo, hi, true); ok && files.located && !packs {
		operands = []operand{files}
	}
	if len(operands) > 1 && action == plan.ZipAction {
		c.Outcome, c.Ask = parse.Asks, parse.AskOne(p.Text, "question.zip", p.SplitNames(parse.Span{Lo: lo, Hi: hi}))
		return
	}
	answer := p.Hint(c.Verb.Lo).Folder
	switch {
	case operands == nil || goes && !packs:
	case packs:
		p.actOn(c, action, operands, place{})
	case answer != "":
		p.actOn(c, action, operands, place{path: item.AsFolder(p.ExpandPlace(answer)), isCertain: true})
	default:
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.destination", Words: wordsOf(p.Text, operands[0]), At: c.Verb, Choices: parse.PlaceChoices()} // the answer becomes the folder of a hint at the verb
	}
}

// actOn adds a draft for each operand, or the question about their destination.
func (p *actReader) actOn(c *parse.Clause, action string, operands []operand, to place) {
	if (len(operands) > 1 || len(operands) > 0 && operands[0].object == plan.FilesType && operands[0].limit != 1) && !strings.HasSuffix(to.path, "/") && to.path != "" {
		return // several things have no one new path
	}
	for _, t := range operands {
		p.addDraft(c, action, t, to)
	}
	if len(operands) > 0 && to.unknown.Lo < to.unknown.Hi {
		c.Outcome, c.Ask, c.Drafts = parse.Asks, p.AskPlace(to.unknown), nil
		if !to.isElsewhere {
			c.Ask.Choices = append(c.Ask.Choices, folderChoice(c.Ask.Words))
		}
	}
}

// wordsOf is how a question names an operand: by its path, or many files by their words.
func wordsOf(p *parse.Text, t operand) string {
	if t.object == plan.FilesType {
		return p.Cut(t.span.Lo, t.span.Hi)
	}
	return t.path
}

func (p *actReader) addDraft(c *parse.Clause, action string, t operand, to place) {
	c.Outcome = parse.Understood
	d := parse.Draft{
		Goal: plan.Goal{GoalType: plan.FileOperation, Action: action, ObjectType: t.object, Target: t.path, Destination: to.path, Query: t.query, Value: t.value, Limit: t.limit},
		Spans: []parse.SlotSpan{
			{Slot: "goal_type", Span: c.Verb},
			{Slot: "action", Span: c.Verb},
			{Slot: "target", Span: t.span},
		},
	}
	if t.query != "" {
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "query", Span: t.span})
	}
	if t.value != "" {
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "value", Span: t.span})
	}
	if d.Into = to.isNew; to.path != "" || to.isNew {
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "destination", Span: to.span})
	}
	c.Drafts = append(c.Drafts, d)
}
