package config

import (
	"cmp"
	"slices"
	"strings"

	"errand/planner/message"
)

// maxSimilar is how many keys [SimilarKeys] returns at most.
const maxSimilar = 4

// minPart is how many letters a part of a name has at least to be recognised in it.
const minPart = 3

// SimilarKeys returns the keys that the user may have meant by one that does not exist, the
// likeliest first. For the name of a table these are all its keys.
func SimilarKeys(key string) []string {
	name := strings.ReplaceAll(strings.ToLower(key), "-", "_")
	type match struct {
		key  string
		rank int
	}
	var found []match
	for _, known := range Keys() {
		if strings.HasPrefix(known, name+".") {
			found = append(found, match{known, 0})
		} else if rank := similarity(name, known); rank > 0 {
			found = append(found, match{known, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.rank, b.rank) })
	var out []string
	for _, m := range found {
		if m.rank == found[0].rank && (m.rank == 0 || len(out) < maxSimilar) {
			out = append(out, m.key)
		}
	}
	return out
}

// similarity ranks how a key resembles what was said: 1 the most, 0 not at all.
func similarity(written, known string) int {
	saidTable, saidName := splitKey(written)
	table, name := splitKey(known)
	inTable := saidTable == table && table != ""
	part := len(saidName) >= minPart && strings.Contains(name, saidName)
	switch {
	case written == known || saidName == name:
		return 1
	case inTable && part, message.Nearest(written, []string{known}) != "":
		return 2
	case part && strings.HasPrefix(name, saidName):
		return 3
	case part, message.Nearest(saidName, []string{name}) != "":
		return 4
	}
	return 0
}

// splitKey splits a key into its table and the name in it.
func splitKey(key string) (table, name string) {
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		return key[:i], key[i+1:]
	}
	return "", key
}
