package quarantine

import (
	"hash/crc32"
	"io/fs"
	"maps"
	"slices"
	"sync"
)

// tables are all rules in the form in which a scan uses them.
type tables struct {
	from  uint32 // checksum of the rule files
	rules []rule
	// groups are the beginnings of rules by their first two bytes.
	groups []group
	// unanchored are the rules whose matches may begin anywhere. They are tried around
	// the literals that their matches contain.
	unanchored []int
}

// group has the beginnings of rules with the same first two bytes.
type group struct {
	key    [2]byte
	starts []start
}

// built is generated from the rule files by make tables: reading them takes most of the time of
// a short scan. It is nil if the file was not generated.
var built *tables

// Tables returns the value of the generated file.
func Tables() (any, error) { return makeTables(), nil }

// embeddedTables returns the tables of the embedded rules, from the generated file unless a
// rule changed since then.
func embeddedTables() *tables {
	if built != nil && built.from == checksum() {
		return built
	}
	t := makeTables()
	return &t
}

func makeTables() tables {
	t := tables{from: checksum()}
	known := map[string][2][]string{} // the first words and the contents of parts
	starts := map[[2]byte][]start{}
	for id, r := range loadRules() {
		for _, part := range r.parts {
			if _, ok := known[part]; !ok {
				tree := parse(part)
				known[part] = [2][]string{firstWords(tree), content(tree)}
			}
			if c := known[part][1]; c != nil {
				r.contents = c
			}
		}
		words := known[r.parts[0]][0]
		if words == nil || r.Raw || r.With != nil {
			t.unanchored = append(t.unanchored, id)
		} else {
			for _, w := range words {
				key := [2]byte{w[0], w[1]}
				starts[key] = append(starts[key], start{w, id})
			}
			r.source = `^(?:` + r.source + `)`
		}
		r.Pattern, r.Rows, r.Reach, r.End, r.Script, r.parts = "", nil, 0, "", "", nil // what it was made of
		t.rules = append(t.rules, *r)
	}
	for _, key := range slices.SortedFunc(maps.Keys(starts), func(a, b [2]byte) int { return slices.Compare(a[:], b[:]) }) {
		t.groups = append(t.groups, group{key, starts[key]})
	}
	// Rules that need the evidence of others are tried after them.
	slices.SortStableFunc(t.unanchored, func(x, y int) int { return len(t.rules[x].With) - len(t.rules[y].With) })
	return t
}

// checksum returns a checksum of all rule files.
var checksum = sync.OnceValue(func() uint32 {
	sum := crc32.NewIEEE()
	err := fs.WalkDir(files, "rules", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, name)
		_, _ = sum.Write(b)
		return err
	})
	if err != nil {
		panic("read rules: " + err.Error()) // the files are part of the program
	}
	return sum.Sum32()
})
