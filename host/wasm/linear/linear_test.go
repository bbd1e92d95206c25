package linear_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/linear"
)

// grown is a memory of so many pages, with bytes in it that aren't zero.
func grown(t testing.TB, pages, limit int) (*linear.Memory, []byte) {
	t.Helper()
	m := linear.New(uint64(limit)*linear.Page, nil)
	m.Allocate(0, 4<<30)
	t.Cleanup(m.Free)
	b := m.Reallocate(uint64(pages) * linear.Page)
	if len(b) != pages*linear.Page {
		t.Fatalf("a memory of %d pages has %d bytes", pages, len(b))
	}
	fill(b, 1)
	return m, b
}

// fill writes a pattern that leaves every third page zero.
func fill(b []byte, seed byte) {
	for at := 0; at < len(b); at += 512 {
		if at/linear.Page%3 != 2 {
			b[at] = seed + byte(at>>9)
		}
	}
}

func image(t testing.TB, m *linear.Memory) *linear.Image {
	t.Helper()
	i, err := m.Snapshot()
	must.Succeed(t, err)
	t.Cleanup(i.Close)
	return i
}

func TestLimit(t *testing.T) {
	m, b := grown(t, 1, 3)
	if cap(b) > 3*linear.Page {
		t.Errorf("more than the limit is in reach: %d bytes", cap(b))
	}
	if m.IsRefused() || len(m.Reallocate(3*linear.Page)) != 3*linear.Page || m.IsRefused() {
		t.Error("the limit itself is refused")
	}
	if m.Reallocate(4*linear.Page) != nil || !m.IsRefused() {
		t.Error("more than the limit is given, or the refusal isn't told")
	}
	if m.Size() != 3*linear.Page {
		t.Errorf("a refusal changes the size to %d", m.Size())
	}
}

// TestUnalignedLimit checks that a memory whose limit is not a multiple of a page
// still grows in place.
func TestUnalignedLimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux maps memories")
		return
	}
	m := linear.New(100_000_000, nil)
	m.Allocate(0, 4<<30)
	defer m.Free()
	first := &m.Reallocate(linear.Page)[0]
	if last := &m.Reallocate(1000 * linear.Page)[0]; last != first {
		t.Error("growing moved the memory")
	}
	if m.Reallocate(100_000_000/linear.Page*linear.Page+linear.Page) != nil {
		t.Error("the memory grew beyond its limit")
	}
}

// TestPause checks that Pause is called often while memory is added, and can stop that.
func TestPause(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux populates memories")
		return
	}
	m, _ := grown(t, 1, 1000)
	calls := 0
	m.Pause = func() { calls++ }
	m.Reallocate(17 * linear.Page)
	m.Reallocate(33 * linear.Page)
	if calls != 0 {
		t.Errorf("the first 2 MiB were populated")
	}
	m.Reallocate(133 * linear.Page)
	if calls != 25 {
		t.Errorf("adding 6.25 MiB called Pause %d times, want once per 256 KiB", calls)
	}
	m.Pause = func() {
		if calls++; calls == 30 {
			panic("stopped")
		}
	}
	func() {
		defer func() {
			if recover() != "stopped" {
				t.Error("the panic did not stop the growth")
			}
		}()
		m.Reallocate(233 * linear.Page)
	}()
	if calls != 30 {
		t.Errorf("Pause was called %d times after its panic", calls-30)
	}
	m.Pause = nil
	if b := m.Reallocate(234 * linear.Page); len(b) != 234*linear.Page || !isZero(b[linear.Page:]) {
		t.Errorf("the memory is not usable after the panic")
	}
}

// TestGrowKeeps: growing loses nothing, and what is added is zero.
func TestGrowKeeps(t *testing.T) {
	m, b := grown(t, 2, 300)
	before := bytes.Clone(b)
	for pages := 3; pages <= 300; pages += 9 {
		b = m.Reallocate(uint64(pages) * linear.Page)
		if !bytes.Equal(b[:len(before)], before) || !isZero(b[len(before):]) {
			t.Fatalf("%d pages are not what there was, and zeroes", pages)
		}
	}
}

// TestRestore: whatever is written and however far it grows, the memory is its
// image again and zero beyond it; so is a memory that adopts the image.
func TestRestore(t *testing.T) {
	for name, pages := range map[string]int{"copied": 3, "by pages": 40, "empty": 0} {
		t.Run(name, func(t *testing.T) {
			m, b := grown(t, pages, 200)
			want := bytes.Clone(b)
			i := image(t, m)
			other := linear.New(200*linear.Page, nil)
			other.Allocate(0, 4<<30)
			defer other.Free()
			if o := other.Reallocate(i.Size()); pages > 0 {
				fill(o, 77) // what its start section might have done
			}
			must.Succeed(t, other.Adopt(i))
			for round := range 5 {
				for which, m := range map[string]*linear.Memory{"own": m, "adopted": other} {
					b := m.Reallocate(m.Size())
					scribble(b, uint64(round))
					b = m.Reallocate(m.Size() + uint64(round)*7*linear.Page)
					scribble(b, uint64(round)+100)
					if round == 3 {
						m.Trim()
					} else {
						m.Restore()
					}
					if !bytes.Equal(b[:len(want)], want) {
						t.Fatalf("round %d, %s: the memory is not its image", round, which)
					}
					if !isZero(b[len(want):]) {
						t.Fatalf("round %d, %s: what was grown is not zero", round, which)
					}
				}
			}
		})
	}
}

// TestPrivate: a memory that shares an image takes what it has written, and
// nothing once it is trimmed.
func TestPrivate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("pages are shared on Linux alone")
		return
	}
	m, b := grown(t, 100, 200)
	image(t, m)
	if n := m.Private(); n != 0 {
		t.Errorf("%d bytes are private before the first call", n)
	}
	b[0]++
	b[50*linear.Page]++
	m.Restore()
	if n := m.Private(); n != 2*uint64(os.Getpagesize()) {
		t.Errorf("two written pages are %d bytes", n)
	}
	m.Trim()
	if n := m.Private(); n != 0 {
		t.Errorf("%d bytes are private after Trim", n)
	}
}

func TestAdoptRefuses(t *testing.T) {
	m, _ := grown(t, 4, 10)
	i := image(t, m)
	small, _ := grown(t, 3, 10)
	if err := small.Adopt(i); err == nil || !strings.Contains(i18n.English().Error(err), "can't hold") {
		t.Errorf("a smaller memory adopts: %v", err)
	}
	if _, err := m.Snapshot(); err == nil {
		t.Error("a second image is taken")
	}
}

// TestNothingLeaks: a thousand memories and images leave no file and no
// mapping behind, in whatever order they are closed.
func TestNothingLeaks(t *testing.T) {
	cycle := func(first bool) {
		m, _ := grown(t, 10, 100)
		i, err := m.Snapshot()
		must.Succeed(t, err)
		if first {
			i.Close()
			m.Reallocate(20 * linear.Page)
			m.Restore()
			m.Free()
			return
		}
		m.Free()
		m.Free()
		i.Close()
	}
	cycle(true)
	files, mappings := held(t)
	for n := range 1000 {
		cycle(n%2 == 0)
	}
	nowFiles, nowMappings := held(t)
	if nowFiles > files+2 || nowMappings > mappings+20 {
		t.Errorf("files went from %d to %d, mappings from %d to %d", files, nowFiles, mappings, nowMappings)
	}
}

// held counts this process's open files and mappings, where /proc tells.
func held(t *testing.T) (files, mappings int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0, 0
	}
	names, err := os.ReadDir("/proc/self/fd")
	must.Succeed(t, err)
	maps := must.ReadFile(t, "/proc/self/maps")
	return len(names), bytes.Count(maps, []byte("\n"))
}

// FuzzRestore: no script of writes and growth leaves a trace.
func FuzzRestore(f *testing.F) {
	f.Add(uint8(1), []byte{0, 1, 2, 3, 4, 5, 6, 7})
	f.Add(uint8(30), []byte("\x00\x00\x01\x05\xff\x00\x00\x03\x01\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, pages uint8, script []byte) {
		const limit = 64
		m, b := grown(t, int(pages)%limit, limit)
		want := bytes.Clone(b)
		image(t, m)
		for range 2 {
			for s := script; len(s) >= 4; s = s[4:] {
				if s[0] == 255 {
					m.Reallocate(m.Size() + uint64(s[1]%4)*linear.Page)
					continue
				}
				if b := m.Reallocate(m.Size()); len(b) > 0 {
					b[int(binary.LittleEndian.Uint32(s))%len(b)] = s[0] + 1
				}
			}
			m.Restore()
			b = m.Reallocate(m.Size())
			if !bytes.Equal(b[:len(want)], want) || !isZero(b[len(want):]) {
				t.Fatal("the memory is not its image and zeroes")
			}
		}
	})
}

func scribble(b []byte, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range min(len(b), 300) {
		b[r.IntN(len(b))] = byte(r.Uint32())
	}
	if len(b) > 0 {
		b[0], b[len(b)-1] = ^b[0], 1
	}
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// BenchmarkRestore: the memory of a plugin in std Go, of which a call writes
// five pages.
func BenchmarkRestore(b *testing.B) {
	for name, pages := range map[string]int{"128KiB": 2, "3.3MiB": 53, "32MiB": 512} {
		b.Run(name, func(b *testing.B) {
			m, buf := grown(b, pages, 1024)
			image(b, m)
			b.ReportAllocs()
			for b.Loop() {
				for at := 0; at < len(buf); at += len(buf) / 5 {
					buf[at]++
				}
				m.Restore()
			}
		})
	}
}

// BenchmarkGrow: a guest that asks for one page after the other.
func BenchmarkGrow(b *testing.B) {
	for b.Loop() {
		m := linear.New(64<<20, nil)
		m.Allocate(0, 4<<30)
		for size := uint64(linear.Page); size <= 64<<20; size += linear.Page {
			m.Reallocate(size)
		}
		m.Free()
	}
}
