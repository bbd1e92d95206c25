package linear

import (
	"slices"
	"testing"

	"errand/build/must"
)

// TestScanAndRead: both ways of asking the kernel tell every page that was
// written, and what else they tell is never of the image alone.
func TestScanAndRead(t *testing.T) {
	m := New(64*Page, nil)
	m.Allocate(0, 64*Page)
	defer m.Free()
	b := m.Reallocate(40 * Page)
	for at := range b {
		if at%4096 == 0 {
			b[at] = 1
		}
	}
	image, err := m.Snapshot()
	must.Succeed(t, err)
	defer image.Close()
	b = m.Reallocate(60 * Page)
	var want []uint64
	for _, at := range []uint64{0, 7 * Page, 39*Page + pageSize, 41 * Page, 59 * Page} {
		b[at]++
		want = append(want, at)
	}
	for name, ask := range map[string]func(do func(uint64)){
		"scan": func(do func(uint64)) { m.scan(pagemap(), 0, m.Size(), do) },
		"read": func(do func(uint64)) { m.read(pagemap(), 0, m.Size(), do) },
	} {
		if name == "scan" && scanUnsupported.Load() {
			continue // an older kernel
		}
		var got []uint64
		ask(func(at uint64) { got = append(got, at) })
		for _, at := range want {
			if !slices.Contains(got, at) {
				t.Errorf("%s does not tell page %d", name, at)
			}
		}
		for _, at := range got {
			if at < 40*Page && !slices.Contains(want, at) {
				t.Errorf("%s tells page %d, which is the image's", name, at)
			}
		}
	}
}
