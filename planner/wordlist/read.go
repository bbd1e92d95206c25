package wordlist

import (
	"embed"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

// Read decodes each language file in the folder words and gives it to add, in the order of their
// names. The files are part of the program: Read panics if one can't be read.
func Read[T any](files embed.FS, add func(T)) {
	entries, err := files.ReadDir("words")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		b, err := files.ReadFile("words/" + e.Name())
		if err != nil {
			panic(err)
		}
		var f T
		if err := toml.Unmarshal(b, &f); err != nil {
			panic(fmt.Errorf("read %s: %w", e.Name(), err))
		}
		add(f)
	}
}
