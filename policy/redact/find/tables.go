package find

import (
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
)

// tables are the literals of all triggers, without the rules.
type tables struct {
	from uint32 // checksum of the rules
	Matcher
	starts []int // the triggers that begin with a blank, which also matches the start of a text
}

// built is generated from the rules by make tables: reading the rules takes a fifth of
// the time of a command. It is nil if the file was not generated.
var built *tables

// Tables returns the value of the generated file.
func Tables() (any, error) { return makeTables(), nil }

func makeTables() tables {
	t := tables{from: checksum()}
	var literals []string
	for i, trigger := range triggers() {
		literals = append(literals, trigger.literal)
		if trigger.literal[0] == ' ' && isAlpha[trigger.literal[1]] {
			t.starts = append(t.starts, i)
		}
	}
	t.Matcher = *NewMatcher(literals, true)
	return t
}

// embeddedTables returns the tables of the embedded rules, from the generated file unless a
// rule changed since then.
var embeddedTables = sync.OnceValue(func() *tables {
	if built != nil && built.from == checksum() {
		return built
	}
	t := makeTables()
	return &t
})

// checksum returns a checksum of all rules.
func checksum() uint32 {
	sum, buffer := crc32.NewIEEE(), make([]byte, 4<<10)
	for _, folder := range []fs.FS{files, gitleaksFile} {
		err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := folder.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.CopyBuffer(sum, f, buffer)
			return err
		})
		if err != nil {
			panic("read rules: " + err.Error()) // the files are part of the program
		}
	}
	return sum.Sum32()
}
