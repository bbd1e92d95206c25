package filter

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Kinds are what the words before a name say of the files to find.
type Kinds struct {
	Object     string // parse.FileType or parse.FolderType
	Extensions []string
	Names      []string // parts of names that the kind has, as in [plan.FileFilter]
	Named      bool     // "called" stands before the name
	Single     bool     // the words say "file" or "folder"
	isMixed    bool     // one of several kinds has Names
	Rest       int      // the first token of the name
}

// ReadKinds reads "all my pdf files called", and reports whether it names a kind of files.
func ReadKinds(p *parse.Text, lo, hi int) (k Kinds, typed bool) {
	k.Object, k.Rest = parse.FileType, p.Skip(lo, hi, lexicon.BulkAll, lexicon.Determiner, lexicon.Mine)
	for k.Rest < hi {
		if and, ok := p.Longest(k.Rest, hi, lexicon.And); ok && len(k.Extensions) > 0 { // "jpg and png files"
			if _, more := p.Longest(k.Rest+and.Len, hi, lexicon.FileKind); more {
				k.Rest += and.Len
			}
		}
		m, ok := p.Longest(k.Rest, hi, lexicon.FileKind, lexicon.Extension, lexicon.Files, lexicon.File, lexicon.Folders, lexicon.Folder, lexicon.BulkAll)
		if !ok {
			break
		}
		switch m.Kind {
		case lexicon.FileKind:
			kind := plan.ParseFileFilter(m.Value)
			k.isMixed = len(k.Extensions) > 0 && len(k.Names)+len(kind.Names) > 0
			k.Extensions, k.Names, typed = append(k.Extensions, kind.Extensions...), append(k.Names, kind.Names...), true
		case lexicon.Extension:
			if _, all := p.FindEnding(0, k.Rest, lexicon.BulkAll); !p.IsPhrase(k.Rest+m.Len, min(hi, k.Rest+m.Len+1), lexicon.Files, lexicon.File) && !(all && lexicon.IsFileExtension(p.Fold(k.Rest))) {
				return k, typed // "text" may begin a name, and "all csv" not
			}
			k.Extensions, typed = append(k.Extensions, m.Value), true
		case lexicon.Folder, lexicon.Folders:
			k.Object, typed, k.Single = parse.FolderType, true, m.Kind == lexicon.Folder
		case lexicon.File, lexicon.Files:
			typed, k.Single = true, m.Kind == lexicon.File
		}
		k.Rest += m.Len
	}
	slices.Sort(k.Extensions)
	k.Extensions = slices.Compact(k.Extensions)
	_, all := p.Longest(lo, k.Rest, lexicon.BulkAll)
	if m, site := p.FindEnding(k.Rest, hi, lexicon.Site); site {
		_, on := p.FindEnding(k.Rest, hi-m.Len, lexicon.OnSite)
		all = all && !on
	}
	if m, ok := p.Longest(k.Rest, hi, lexicon.NameMarker); ok && (typed || all) { // "everything called draft"
		typed = true
		k.Rest, k.Named = k.Rest+m.Len, true
	}
	return k, typed
}

// Fit reports whether one search can find the kinds, with name in the names of the files.
func (k Kinds) Fit(name parse.Span) bool {
	return !k.isMixed && (len(k.Names) == 0 || name.Lo >= name.Hi)
}

// ReadKind reads [lo,hi) as a kind of files: "pdf files", ".tmp files", "*.tmp", "photos", "files". It
// sets nothing but the extensions and names.
func ReadKind(p *parse.Text, lo, hi int) (kind plan.FileFilter, ok bool) {
	if lo >= hi {
		return kind, false
	}
	k, typed := ReadKinds(p, lo, hi)
	if typed && k.Rest == hi && k.Object == parse.FileType && !k.Named {
		return plan.FileFilter{Extensions: k.Extensions, Names: k.Names}, !k.isMixed
	}
	after := false // "files .tmp", «файлы tmp»
	if m, ok := p.Longest(lo, hi, lexicon.Files); ok && lo+m.Len == hi-1 && (p.Source[p.Tokens[hi-1].Start] == '.' || lexicon.IsFileExtension(p.Fold(hi-1))) {
		lo, after = lo+m.Len, true
	}
	noun := p.Skip(lo+1, hi, lexicon.Files, lexicon.File)
	ext := strings.ToLower(strings.TrimPrefix(p.Source[p.Tokens[lo].Start:p.Tokens[lo].End], "*"))
	if noun < hi || !strings.HasPrefix(ext, ".") && !((after || noun > lo+1) && lexicon.IsFileExtension(ext)) {
		return kind, false
	}
	ext = "." + strings.TrimPrefix(ext, ".")
	if lexicon.FileExtension("x"+ext) != ext[1:] || strings.Count(ext, ".") > 1 {
		return kind, false
	}
	kind.Extensions = []string{ext}
	return kind, true
}

// IsPlural reports whether a word for files means many: "pdfs", "files", "картинки". Words that
// may mean one as well, such as "pdf" and «фото», don't.
func IsPlural(p *parse.Text, i int) bool {
	if p.IsPhrase(i, i+1, lexicon.Files) || strings.HasPrefix(p.Source[p.Tokens[i].Start:], "*.") {
		return !p.IsPhrase(i, i+1, lexicon.File)
	}
	word := p.Fold(i)
	for _, end := range []string{"s", "ы", "и", "я"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}
