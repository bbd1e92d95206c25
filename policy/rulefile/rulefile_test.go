package rulefile_test

import (
	"testing"
	"testing/fstest"

	"errand/policy/rulefile"
)

type table struct {
	Pattern *rulefile.Pattern
	Words   rulefile.Words
}

func files(text string) fstest.MapFS {
	return fstest.MapFS{"a.toml": {Data: []byte(text)}}
}

func TestLoad(t *testing.T) {
	load := rulefile.Load[table](files("pattern = '''\n    a|\n    b c'''\nwords = \"\"\"\none two\nthree\"\"\"\n"), "a.toml")
	if got := load(); got.Pattern.Source != "a|b c" || !got.Pattern.Match("b c") || len(got.Words) != 3 || !got.Words["three"] {
		t.Errorf("%q, %v", got.Pattern.Source, got.Words)
	}
}

func TestReadRefusesUnknownKeys(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a key without a field was accepted")
		}
	}()
	rulefile.Read(files("pattren = 'a'\n"), "a.toml", new(table))
}
