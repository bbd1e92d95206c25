package realpath

import (
	"fmt"
	"slices"
	"testing"
)

// TestIndex compares an index with Contains, for all pairs of some paths.
func TestIndex(t *testing.T) {
	paths := []string{"/", "/a", "/a/b", "/a/b/c", "/a/bc", "/ab", "/a/b/", "/a/../ab/x", "/b/a", "/a//b"}
	var x Index
	for n, p := range paths {
		x.Add(p, n)
	}
	for _, p := range paths {
		for _, q := range paths {
			var want []int
			for n, other := range paths {
				if Contains(p, other) || Contains(other, p) || Contains(q, other) || Contains(other, q) {
					want = append(want, n)
				}
			}
			if got := x.Related(p, q); !slices.Equal(got, want) {
				t.Errorf("near %s and %s: %v, want %v", p, q, got, want)
			}
		}
	}
	if got := new(Index).Related("/a"); len(got) > 0 {
		t.Errorf("an empty index has %v", got)
	}
}

func BenchmarkIndex(b *testing.B) {
	for range b.N {
		var x Index
		for n := range 1000 {
			p := fmt.Sprintf("/home/ann/Downloads/file%04d.txt", n)
			if len(x.Related(p)) > 0 {
				b.Fatal(p)
			}
			x.Add(p, n)
		}
	}
}
