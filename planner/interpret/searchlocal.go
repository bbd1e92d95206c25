package interpret

// downloads is where no site keeps anything.
const downloads = "~/Downloads/"

// local reports whether this computer is to be searched, up to hi: "search my
// documents for notes", "find notes on my computer", "find the file a.txt". It is
// no site, and none is to hear what somebody looks for among their own files.
func (s *searching) local(hi int) bool {
	p := s.p
	if _, asked := p.longest(s.q.lo, s.q.hi, kAsk); s.c.named || s.web || asked {
		return false
	}
	if m, ok := p.longest(s.q.lo, s.q.hi, kLocal); ok {
		_, isFor := p.longest(s.q.lo+m.n, s.q.hi, kFor)
		_, before := p.longest(s.q.lo, s.q.hi, kOn)
		if isFor || before {
			return true
		}
	}
	for end := s.q.hi; end <= hi; end++ { // what manner was cut off may say the place
		if s.amongFiles(end) {
			return true
		}
	}
	return s.namesFile()
}

// amongFiles reports whether what ends at hi says a place of this computer:
// "on my disk", "in my documents", "files in pictures".
func (s *searching) amongFiles(hi int) bool {
	p := s.p
	if m, ok := p.ending(s.q.lo+1, hi, kLocal); ok {
		_, on := p.longest(hi-m.n, hi, kOn)
		return on
	}
	m, ok := p.ending(s.q.lo+1, hi, kPlace)
	_, in := p.longest(hi-m.n, hi, kIn, kInside, kFrom, kOn)
	switch {
	case !ok || !in: // "documents" alone is a word as any, and "to" is no place to look
		return false
	case m.n > 2 || m.value == downloads: // "in my pictures", "in the music folder"
		return true
	}
	return s.ofFiles(hi - m.n)
}

// ofFiles reports whether files are spoken of before hi.
func (s *searching) ofFiles(hi int) bool {
	for i := s.q.lo; i < hi; i++ {
		if _, ok := s.p.longest(i, hi, kFile, kFolder, kBulk); ok {
			return true
		}
	}
	return false
}

// namesFile reports whether one file or folder is looked for by its name: "the
// file report.pdf", "files named report".
func (s *searching) namesFile() bool {
	p := s.p
	at := p.skip(s.q.lo, s.q.hi, kDet)
	noun, ok := p.longest(at, s.q.hi, kFile, kFolder, kBulk)
	if !ok {
		return false
	}
	rest := at + noun.n
	if _, named := p.longest(rest, s.q.hi, kNamed); named {
		return true
	}
	return rest+1 == s.q.hi && noun.kind == kFile && p.toks[rest].shape == file
}
