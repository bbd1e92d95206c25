package browser_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"errand/build/poll"
	"errand/host/browser/page"
	"errand/host/tool"
)

// TestPageStorage: what a page may store is limited by a fixed number and not by the size of the
// disk. The page reserves space in a file, which takes little of the disk.
func TestPageStorage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answers := make(chan string, 4)
	site := html(`<script>
		const work = async () => {
			const root = await navigator.storage.getDirectory()
			const file = await (await root.getFileHandle("x", { create: true })).createSyncAccessHandle()
			let reserved = 0
			try { while (reserved < 64) { file.truncate((reserved + 1) * 2 ** 26); reserved++ } } catch {}
			postMessage(String(reserved * 64))
		}
		const worker = new Worker(URL.createObjectURL(new Blob(["(" + work + ")().catch(e => postMessage(String(e)))"])))
		worker.onmessage = e => fetch("/answer?" + encodeURIComponent(e.data))
	</script>`)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/answer" {
			answers <- r.URL.RawQuery
			return
		}
		site.ServeHTTP(rw, r)
	}))
	b := w.launch(func(o *page.Options) { o.Decide = allowHosts("a.example") })
	if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	select {
	case answer := <-answers:
		if reserved, err := strconv.Atoi(answer); err != nil || reserved < 64 || reserved > 448 {
			t.Errorf("reserved MiB: %s, %v", answer, err)
		}
	case <-time.After(poll.Patience):
		t.Fatal("the page did not answer")
	}
}

// TestPagesFillTheProfile: pages of many origins, and each way to store, end the browser at the
// limit with an error that says so.
func TestPagesFillTheProfile(t *testing.T) {
	t.Parallel()
	const piece = `new Uint8Array(2 ** 20); for (let o = 0; o < piece.length; o += 2 ** 16) crypto.getRandomValues(piece.subarray(o, o + 2 ** 16))`
	for name, store := range map[string]string{
		"a file":     `const d = await navigator.storage.getDirectory(), w = await (await d.getFileHandle("x" + i, { create: true })).createWritable(); await w.write(piece); await w.close()`,
		"a cache":    `await (await caches.open("c")).put("/" + i, new Response(piece))`,
		"a database": `await new Promise((ok, no) => { const o = indexedDB.open("d" + i); o.onupgradeneeded = () => o.result.createObjectStore("s").put(piece, 1); o.onsuccess = ok; o.onerror = no })`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			site := html(`<title>busy</title><script>(async () => { const piece = ` + piece + `; for (let i = 0; i < 400; i++) { ` + store + ` } })()</script>`)
			w.https("a.example", site)
			b := w.launch(func(o *page.Options) { o.Decide, o.MaxProfile = allowHosts("a.example"), 64<<20 })
			_, err := b.Open(t.Context(), "https://a.example/")
			if err == nil {
				poll.Await(t, "the end of the browser", func() bool { return !b.IsAlive() })
				_, err = b.Open(t.Context(), "https://a.example/")
			}
			if e := tool.AsError(err); err == nil || e.Code != "browser_storage_full" || !strings.Contains(e.Message.String(), "64") {
				t.Errorf("error = %v", err)
			}
		})
	}
}
