package main_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFileNames finds Go files that are named by a participle, an adverb, a preposition or
// a pronoun alone, or that start with a preposition. A file has the name of the type or
// the verb that it holds.
func TestFileNames(t *testing.T) {
	for _, file := range goFiles(t) {
		if isVagueFileName(path.Base(file)) {
			t.Errorf("%s: name the file by the type or the verb that it holds", file)
		}
	}
}

// TestVagueFileNames shows which names are refused.
func TestVagueFileNames(t *testing.T) {
	for name, want := range map[string]bool{
		"granted.go": true, "running_linux.go": true, "seen_test.go": true, "under.go": true, "from_run.go": true, "again.go": true, "own.go": true,
		"granted_roots.go": false, "embed.go": false, "heading.go": false, "run.go": false, "with.txt.go": false, "ring.go": false, "undo_test.go": false,
	} {
		if got := isVagueFileName(name); got != want {
			t.Errorf("%s: got %t, want %t", name, got, want)
		}
	}
}

var (
	participle = regexp.MustCompile(`^[a-z]+(ed|ing)$`)
	fileSuffix = regexp.MustCompile(`(_(test|unix|bsd|linux|windows|darwin|other|amd64|arm64))*\.go$`)

	// nouns, verbs and types that look like participles.
	notParticiples = strings.Fields("binding embed encoding heading mapping metering prepared reading ring seed setting spacing speed spelling string")
	prepositions   = strings.Fields("above across after against along among around as at before behind below beneath beside between beyond by despite down during for from in inside into near of off on onto out outside over past per since through throughout to toward under until up upon via with within without")
	vagueNames     = strings.Fields("again almost alone already also always anew away back both earlier else ever forbidden gone had idle kept known last later left like live lost made many met more most mine near never next nobody none now often once one only other others own past put same seen shown so some soon still such taken that them then there they this told together too twice what when where which while who whole whose yet")
)

// isVagueFileName reports whether a base name says nothing about what the file holds.
func isVagueFileName(name string) bool {
	name = fileSuffix.ReplaceAllString(name, "")
	first, _, compound := strings.Cut(name, "_")
	switch {
	case slices.Contains(prepositions, first):
		return true
	case compound:
		return false
	}
	return slices.Contains(vagueNames, name) || participle.MatchString(name) && !slices.Contains(notParticiples, name)
}
