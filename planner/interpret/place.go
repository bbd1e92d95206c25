package interpret

import "strings"

// placeAt passes over a known folder or "in it" at token i.
func (p *fileReader) placeAt(it *item, i, hi int) int {
	for i < hi {
		m, ok := p.longest(i, hi, kPlace, kInIt)
		if !ok || m.kind == kPlace && m.n == 1 { // without a preposition "desktop" may be a name
			return i
		}
		if m.kind == kPlace {
			m.n -= p.nextNoun(i, i+m.n, hi)
			it.place = m.value
		} else {
			it.inside = true
		}
		i += m.n
	}
	return i
}

// nextNoun is the length of a noun at the end of the place [i,end) that rather
// begins the thing: "in documents folder a", but not "in the documents folder a".
func (p *fileReader) nextNoun(i, end, hi int) int {
	noun, ok := p.ending(i+1, end, kFolder)
	if !ok || !p.covers(i, end-noun.n, kPlace) || end >= hi || p.whole(end) {
		return 0
	}
	for j := i; j < end; j++ {
		if _, det := p.longest(j, end, kDet); det {
			return 0
		}
	}
	if _, more := p.longest(p.skip(end, hi, kDet, kEmpty, kExtension), hi, kFolder, kFile, kFolders, kFiles, kNamed); more {
		return 0
	}
	return noun.n
}

// trailingPlace cuts "on my desktop", "in it", "in /tmp" and "in the src
// folder" off the end, as long as something is left. Places may be nested: "in
// the src folder on my desktop".
func (p *fileReader) trailingPlace(it *item, lo, hi int) int {
	for {
		end := hi
		for end > lo && p.toks[end-1].shape == mark {
			end--
		}
		if m, ok := p.ending(lo, end, kPlace); ok && m.n > 1 && it.place == "" {
			it.place = m.value
			hi = end - m.n
			continue
		}
		if m, ok := p.ending(lo, end, kInIt); ok && !it.inside {
			it.inside = true
			hi = end - m.n
			continue
		}
		if it.within == "" && !it.inside {
			if from, dir, ok := p.within(lo, end); ok && !(it.place != "" && isPath(dir)) {
				it.within = dir
				hi = from
				continue
			}
		}
		return hi
	}
}

// within finds a containing folder at the end: "in /tmp", "in the src folder",
// "inside folder src", "in documents/src", "inside src".
func (p *fileReader) within(lo, hi int) (from int, dir string, ok bool) {
	for i := hi - 2; i > lo && i >= hi-maxPhrase; i-- {
		m, is := p.longest(i, hi, kIn, kInside, kFrom)
		if !is {
			continue
		}
		j := p.skip(i+m.n, hi, kDet)
		if fresh(p.Text, i+m.n, j) {
			continue // "in a new folder": one that is to be created as well
		}
		if dir, ok = p.container(j, hi, m.kind == kInside); ok {
			return i, dir, true
		}
	}
	return 0, "", false
}

// container reads [j,hi) as a folder: it says that it is one, or looks like a
// path. With bare a name of one word is enough.
func (p *fileReader) container(j, hi int, bare bool) (dir string, ok bool) {
	if j >= hi {
		return "", false
	}
	if n, ok := p.longest(j, hi, kFolder); ok && j+n.n < hi {
		k := j + n.n
		if named, ok := p.longest(k, hi, kNamed); ok {
			k += named.n
		}
		return p.known(p.cut(k, hi)), k < hi && !placed(p.Text, k, hi)
	}
	if n, ok := p.ending(j+1, hi, kFolder); ok {
		hi -= n.n
		return p.known(p.cut(j, hi)), !placed(p.Text, j, hi)
	}
	if j+1 != hi {
		return "", false
	}
	slashed := p.toks[j].shape == path || p.toks[j].shape == word && strings.Contains(strings.Trim(p.fold(j), "/"), "/")
	bare = bare && (p.toks[j].shape == word || p.toks[j].shape == quoted) && !p.covers(j, hi, kPronoun, kNothing, kNumber)
	return p.known(p.cut(j, hi)), slashed || bare
}

// fresh reports whether a determiner says "new".
func fresh(p *Text, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.longest(i, hi, kEmpty); ok {
			return true
		}
	}
	return false
}

// placed reports whether a name tells of a place within itself.
func placed(p *Text, lo, hi int) bool {
	for i := lo; i < hi-1; i++ {
		if _, in := p.longest(i, hi, kIn, kInside); in {
			return true
		}
	}
	return false
}

// known writes out the known folder that a relative path begins with:
// "documents/src".
func (p *Text) known(dir string) string {
	first, rest, _ := strings.Cut(dir, "/")
	if m, ok := p.words.single(fold(first), kPlace); ok {
		return m.value + rest
	}
	return dir
}
