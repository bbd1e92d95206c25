// Package filename finds the words of a text that name a file or folder which is there, without
// its extension: "the cover letter" for "cover letter.docx".
package filename

import (
	"path"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Entry is a file or folder that is there.
type Entry struct {
	Path   string `json:"path"` // "~/Documents/a.txt"
	Folder bool   `json:"folder,omitempty"`
	Depth  int    `json:"depth,omitempty"` // of its folder below those where names are looked for first
}

// Object is the type of the entry in goals.
func (e Entry) Object() string {
	if e.Folder {
		return parse.FolderType
	}
	return parse.FileType
}

// name is the name of an entry as words.
type name struct {
	words []string // folded
	roots []string // of the words without an article at the beginning
	key   string   // the roots in one string
}

func (f *finder) nameOf(e Entry) name {
	base := path.Base(e.Path)
	if !e.Folder {
		base = stemOf(base)
	}
	n := name{words: splitWords(base)}
	for _, w := range f.withoutArticle(n.words) {
		n.roots = append(n.roots, root(w, f.endings))
	}
	n.key = strings.Join(n.roots, " ")
	return n
}

// withoutArticle drops articles and possessives at the beginning of a name.
func (f *finder) withoutArticle(words []string) []string {
	for len(words) > 1 && f.isArticle(words[0]) {
		words = words[1:]
	}
	return words
}

func (f *finder) isArticle(word string) bool {
	is, known := f.articles[word]
	if !known {
		_, article := f.Words.Single(word, lexicon.Article)
		_, mine := f.Words.Single(word, lexicon.Mine)
		is = article || mine
		f.articles[word] = is
	}
	return is
}
