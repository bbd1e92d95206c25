package web

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// downloads is a place that only this computer has.
const downloads = "~/Downloads/"

// isLocal reports whether the words up to hi search this computer: "search my
// documents for notes", "find notes on my computer", "find the file a.txt". Such a
// query is never sent to a site.
func (s *search) isLocal(hi int) bool {
	p := s.p
	if s.c.NamesSite || s.web || s.isQuestion(s.q.Lo) {
		return false
	}
	if m, ok := p.Longest(s.q.Lo, s.q.Hi, lexicon.Place); ok {
		if _, isFor := p.Longest(s.q.Lo+m.Len, s.q.Hi, lexicon.For); isFor { // "search in downloads for reports"
			return true
		}
	}
	if m, ok := p.Longest(s.q.Lo, s.q.Hi, lexicon.Local); ok {
		_, isFor := p.Longest(s.q.Lo+m.Len, s.q.Hi, lexicon.For)
		_, before := p.Longest(s.q.Lo, s.q.Hi, lexicon.On)
		if isFor || before {
			return true
		}
	}
	for end := s.q.Hi; end <= hi; end++ { // what manner was cut off may say the place
		if s.endsInLocalPlace(end) {
			return true
		}
	}
	return s.isFileSearch() || s.isTextSearch()
}

// isTextSearch reports whether a text is looked for in a file: "'function' in app.js".
func (s *search) isTextSearch() bool {
	p := s.p
	if s.q.Hi-s.q.Lo < 3 || p.Tokens[s.q.Lo].Shape != lexicon.QuotedShape || p.Tokens[s.q.Hi-1].Shape != lexicon.FileShape {
		return false
	}
	return p.IsPhrase(s.q.Lo+1, s.q.Hi-1, lexicon.In, lexicon.Inside)
}

// endsInLocalPlace reports whether the words that end at hi name a place on this
// computer: "on my disk", "in my documents", "files in pictures".
func (s *search) endsInLocalPlace(hi int) bool {
	p := s.p
	if m, ok := p.FindEnding(s.q.Lo+1, hi, lexicon.Local); ok {
		_, on := p.Longest(hi-m.Len, hi, lexicon.On)
		return on
	}
	m, ok := p.FindEnding(s.q.Lo+1, hi, lexicon.Place)
	_, in := p.Longest(hi-m.Len, hi, lexicon.In, lexicon.Inside, lexicon.From, lexicon.On)
	switch {
	case !ok || !in: // "documents" alone may be any word, and "to" doesn't introduce a place to search
		return false
	case m.Len > 2 || m.Value == downloads: // "in my pictures", "in the music folder"
		return true
	}
	return s.mentionsFiles(hi - m.Len)
}

// mentionsFiles reports whether files are spoken of before hi.
func (s *search) mentionsFiles(hi int) bool {
	for i := s.q.Lo; i < hi; i++ {
		if _, ok := s.p.Longest(i, hi, lexicon.File, lexicon.Folder, lexicon.Bulk); ok {
			return true
		}
	}
	return false
}

// isFileSearch reports whether one file or folder is looked for by its name: "the
// file report.pdf", "files named report".
func (s *search) isFileSearch() bool {
	p := s.p
	at := p.Skip(s.q.Lo, s.q.Hi, lexicon.Determiner)
	noun, ok := p.Longest(at, s.q.Hi, lexicon.File, lexicon.Folder, lexicon.Bulk)
	if !ok {
		return false
	}
	rest := at + noun.Len
	if _, named := p.Longest(rest, s.q.Hi, lexicon.NameMarker); named {
		return true
	}
	return rest+1 == s.q.Hi && noun.Kind == lexicon.File && p.Tokens[rest].Shape == lexicon.FileShape
}

// wantsContents reports whether the words mean what is written in a file: "what's in notes.txt",
// "the contents of it". No file is sent to a site.
func wantsContents(s *search) bool {
	p, hi := s.p, s.q.Hi
	m, ok := p.Longest(s.q.Lo, hi, lexicon.FileAction, lexicon.ContentsOf, lexicon.ComputedOf)
	if !ok || m.Kind == lexicon.FileAction && m.Value != plan.ReadAction || m.Kind == lexicon.ComputedOf && m.Len == 1 {
		return false
	}
	at := p.Skip(s.q.Lo+m.Len, hi, lexicon.Determiner, lexicon.Mine, lexicon.File)
	if at+1 != hi {
		return p.IsPhrase(s.q.Lo+m.Len, hi, lexicon.Pronoun)
	}
	return p.Tokens[at].Shape == lexicon.FileShape || p.Tokens[at].Shape == lexicon.PathShape || p.IsPhrase(at, hi, lexicon.Pronoun)
}
