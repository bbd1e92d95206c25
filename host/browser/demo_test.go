package browser_test

import (
	"bytes"
	"image/png"
	"testing"

	"errand/app/demo"
	"errand/host/browser/page"
)

// TestDemoSite: the page that a demo shows is real in a real browser: its own
// host is navigated to, its pictures' host is admitted for it, and the picture
// has colours in it.
func TestDemoSite(t *testing.T) {
	w := newWorld(t)
	site, err := demo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range site.Hosts() {
		w.routes[name] = address.String()
	}
	w.spki = site.SPKI()
	w.admitted = map[string]bool{"youtube.com:443": true, "www.youtube.com:443": true}
	notes := &notebook{}
	b := w.launch(func(o *page.Options) {
		o.Note = notes.write
		o.Admit = func(hostport string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.admitted[hostport] = true
		}
	})
	page, err := b.Open(t.Context(), "https://www.youtube.com/results?search_query=nvidia")
	if err != nil {
		t.Fatal(err)
	}
	if page.Title != "nvidia - YouTube (demo)" || page.URL != "https://youtube.com/results?search_query=nvidia" || page.Status != 200 {
		t.Errorf("page = %q at %s, %d", page.Title, page.URL, page.Status)
	}
	if !w.reached("i.ytimg.com") || notes.count("connection", map[string]any{"kind": "subresource", "type": "image", "verdict": "allow"}) == 0 {
		t.Error("the pictures of another host were not loaded")
	}
	img, err := png.Decode(bytes.NewReader(page.Screenshot))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]bool{}
	for y := 200; y < 600; y += 5 {
		for x := 160; x < 480; x += 5 { // where the thumbnails are
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("only %d colours: a page of results has pictures", len(colours))
	}
}
