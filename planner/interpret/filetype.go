package interpret

// guessType finds the type where no noun stands before the name: a file name,
// "the drafts folder", a spelled extension.
func (p *fileReader) guessType(it *item, deleting bool) {
	q := it.name
	if q.lo >= q.hi {
		return
	}
	if m, ok := p.ending(q.lo+1, q.hi, kFolder, kFile); ok && !it.named && m.n < q.hi-q.lo {
		it.name.hi -= m.n
		it.object, it.typed = folderType, true
		if m.kind == kFile {
			it.object, it.kindOnly = fileType, true
			if e, ok := p.ending(q.lo+1, it.name.hi, kExtension); ok { // "a notes text file"
				it.ext, it.name.hi = e.value, it.name.hi-e.n
			}
		}
		it.described = p.describes(it.name, m, deleting)
		return
	}
	if q.hi == q.lo+1 && (p.toks[q.lo].shape == file || p.toks[q.lo].shape == link && extension(p.toks[q.lo].value) != "") {
		it.object = fileType
		return
	}
	last := p.toks[q.hi-1]
	if p.toks[q.lo].shape == path || last.shape == file {
		if ext := extension(p.cut(q.hi-1, q.hi)); ext != "" {
			it.object = fileType
		}
		return
	}
	if p.quotedAlone(q.lo, q.hi) && extension(p.toks[q.lo].value) != "" {
		it.object = fileType
		return
	}
	if name := spokenName(p.Text, q.lo, q.hi); extension(name) != "" && fileExtensions[extension(name)] {
		it.object = fileType
	}
}

// describes reports whether the words before a noun tell of the thing rather
// than name it: "the biggest file". In a language that puts names after nouns
// they always do. A file to be deleted needs a name that can be no description.
func (p *fileReader) describes(q span, noun match, deleting bool) bool {
	last := p.toks[q.hi-1]
	switch {
	case last.shape != word:
		return false // a quoted name, a file name, a path
	case deleting && noun.kind == kFile, !p.words.packs[noun.lang].NameFirst:
		return true
	}
	return p.skip(q.lo, q.hi, kQuality, kDet, kEmpty, kPlace) == q.hi
}

// anyFile reports whether the words before a name speak of any file at all:
// "a", but not "the".
func (p *fileReader) anyFile(lo, hi int) bool {
	det, ok := p.longest(lo, hi, kDet)
	known, _ := p.longest(lo, hi, kKnown)
	return ok && det.n > known.n
}

// namesFiles reports whether a verb by itself is about files.
func namesFiles(verb kind) bool {
	return verb == kCreate || verb == kCreateIng || has(deleteVerbs, verb) || verb == kMkdir || verb == kTouch
}

// newThing reports whether the words speak of a file or folder that is not
// there yet: "a file", not "the file".
func (p *fileReader) newThing(c *clause, it item) bool {
	noun := false
	for i := c.body; i < it.name.lo; i++ {
		if _, known := p.longest(i, it.name.lo, kKnown); known {
			return false
		}
		_, is := p.longest(i, it.name.lo, kFile, kFolder, kFiles, kFolders)
		noun = noun || is
	}
	return noun
}

// foreignThing: "create a playlist" has an article and no type, which makes it
// some other thing; "create backup" may be a name.
func (p *fileReader) foreignThing(c *clause, it item) bool {
	m, ok := p.longest(c.body, it.name.hi, kDet)
	return ok && m.n > 0 && c.action() == "create" && !it.named
}
