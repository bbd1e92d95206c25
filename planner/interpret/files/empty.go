package files

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// askEmptying asks about a command to remove what is in a file or folder: "wipe the folder Old",
// "delete the contents of a.txt". That is neither to delete the thing nor a goal.
func (p *actReader) askEmptying(lo, hi int) (parse.Clause, bool) {
	m, ok := p.Longest(lo, hi, lexicon.Emptying)
	if verb, is := p.Longest(lo, hi, lexicon.DeleteVerbs...); is && verb.Len >= m.Len {
		_, contents := p.Longest(p.SkipFillers(lo+verb.Len, hi), hi, lexicon.ContentsOf)
		m, ok = verb, contents
	}
	if trash, is := p.Longest(lo, hi, lexicon.FileAction); !ok || is && trash.Len > m.Len {
		return parse.Clause{}, false
	}
	end := p.TrimPoliteEnd(lo+m.Len, hi)
	at := parse.Span{Lo: p.Skip(p.SkipFillers(lo+m.Len, end), end, lexicon.ContentsOf), Hi: end}
	path, folder := "", true
	if own, ok := p.ownFolder(at.Lo, at.Hi); ok {
		path = own
	} else if things := p.operands(at.Lo, at.Hi, parse.Location{}); len(things) == 1 {
		path, folder = things[0].path, things[0].object != parse.FileType
	} else {
		return parse.Clause{}, false
	}
	c := parse.Clause{Frame: parse.ActFrame, Outcome: parse.Asks, Verb: parse.Span{Lo: lo, Hi: lo + m.Len}, Lang: m.Lang, Body: lo + m.Len}
	c.Ask = parse.Question{Code: "question.empty", Words: strings.TrimSuffix(path, "/"), At: at}
	words := p.Cut(at.Lo, at.Hi)
	if strings.Contains(path, "/") {
		words = c.Ask.Words
	}
	if folder {
		c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.New("question.choice_list_folder", "folder", c.Ask.Words), Value: p.Words.Answer(c.Lang, "list_folder", "{folder}", words)})
	} else {
		c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.New("question.choice_open_name", "name", c.Ask.Words), Value: p.Words.Answer(c.Lang, "open", "{name}", words)})
	}
	if _, own := p.ownFolder(at.Lo, at.Hi); !own {
		c.Ask.Choices = append(c.Ask.Choices, plan.Choice{Label: message.New("question.choice_delete_name", "name", c.Ask.Words), Value: p.Words.Answer(c.Lang, "delete", "{name}", words)})
	}
	return c, true
}

// askForever asks whether to move something to the trash after all that the words want to be
// deleted for good, or without a question: "permanently delete a.txt".
func (p *actReader) askForever(lo, hi int) (parse.Clause, bool) {
	hi = p.TrimPoliteEnd(lo, hi)
	first, leads := p.Longest(lo, hi, lexicon.Forever)
	at := parse.Span{Lo: lo, Hi: lo + first.Len}
	verb, ok := p.Longest(at.Hi, hi, lexicon.DeleteVerbs...)
	if !ok {
		return parse.Clause{}, false
	}
	if !leads {
		body := p.SkipFillers(lo+verb.Len, hi)
		if m, ok := p.Longest(body, hi, lexicon.Forever); ok {
			at = parse.Span{Lo: body, Hi: body + m.Len}
		} else if m, ok := p.FindEnding(body+1, hi, lexicon.Forever); ok {
			at = parse.Span{Lo: hi - m.Len, Hi: hi}
		} else {
			return parse.Clause{}, false
		}
	}
	rest := NewReader(p.Remove(at))
	verb, ok = rest.Longest(lo, hi-(at.Hi-at.Lo), lexicon.DeleteVerbs...)
	if !ok {
		return parse.Clause{}, false
	}
	c := rest.Read(verb, parse.Span{Lo: lo, Hi: lo + verb.Len}, lo+verb.Len, hi-(at.Hi-at.Lo))
	if c.Outcome != parse.Understood {
		return parse.Clause{}, false
	}
	return parse.Clause{
		Frame: parse.FileFrame, Outcome: parse.Asks, VerbKind: verb.Kind, Lang: verb.Lang, Body: lo,
		Ask: parse.Question{Code: "question.trash", Words: p.Cut(at.Lo, at.Hi), At: at, Choices: parse.YesOrNo()},
	}, true
}
