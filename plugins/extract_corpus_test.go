package plugins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
)

// TestExtractCorpus: documents of real programs are read as a person sees them. testdata/extract
// says which programs made them, and how their texts were made and checked.
func TestExtractCorpus(t *testing.T) {
	call := reader(t)
	for extension, kind := range extractKinds {
		files, err := filepath.Glob(filepath.Join("testdata", "extract", extension, "*."+extension))
		must.Succeed(t, err)
		count := 0
		for _, file := range files {
			if strings.HasSuffix(file, ".want.txt") {
				continue
			}
			count++
			t.Run(filepath.Base(file), func(t *testing.T) {
				r := call(t, kind, must.ReadFile(t, file))
				if !r.OK {
					t.Fatal(r.Error)
				}
				got := r.Payload.(map[string]any)
				golden := strings.TrimSuffix(file, extension) + "want.txt"
				if os.Getenv("UPDATE") != "" && kind == "document" {
					must.Succeed(t, os.WriteFile(golden, []byte(got["text"].(string)), 0o600))
				}
				if d := cmp.Diff(read(t, golden), got["text"]); d != "" {
					t.Errorf("text (-want +got):\n%s", d)
				}
				if got["truncated"] != false || got["kind"] != kind {
					t.Errorf("kind %v, truncated %v", got["kind"], got["truncated"])
				}
			})
		}
		if count != 20 {
			t.Errorf("%d files of %s, want 20", count, extension)
		}
	}
}
