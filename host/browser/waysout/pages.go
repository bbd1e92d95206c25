package waysout

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// What an allowed page must still be able to do.
const (
	workPage    = "the page, without TLS"
	workSecure  = "the page, with TLS through CONNECT"
	workPicture = "a picture of its own"
	workScript  = "a module of its own"
	workFetch   = "fetch of its own"
	workWorker  = "a worker of its own"
	workPublic  = "a picture of an unlisted public host"
	workSockets = " to an unlisted public host" // a WebSocket; see sockets
)

var works = func() []string {
	all := []string{workPage, workSecure, workPicture, workScript, workFetch, workWorker, workPublic}
	for _, s := range sockets {
		all = append(all, s.Name)
	}
	return all
}()

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// snippet is one way in the form that the page runs.
type snippet struct {
	Name, U, W, H        string
	JS                   template.JS
	Popup, ReportsItself bool
}

func (s *Site) snippet(w route) snippet {
	u := s.forbidden.url(w)
	return snippet{
		Name: w.name, U: u, W: "ws" + strings.TrimPrefix(u, "http"), H: s.forbidden.hostPort(w),
		JS: template.JS(w.js), Popup: w.kind == popup, ReportsItself: w.reportsItself,
	}
}

func (s *Site) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.servePage)
	mux.HandleFunc("/top/{way}", s.serveSingle)
	mux.HandleFunc("/tried/{way}", func(w http.ResponseWriter, r *http.Request) {
		s.note(func() { s.tried[r.PathValue("way")] = true })
	})
	mux.HandleFunc("/end", s.end)
	mux.HandleFunc("/hop/{way}", s.hop)
	mux.HandleFunc("/serve/{way}", s.header)
	mux.HandleFunc("/sw/{way}/{file}", s.serviceWorker)
	mux.HandleFunc("/cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/picture", func(w http.ResponseWriter, _ *http.Request) { serveImage(w) })
	mux.HandleFunc("/module.js", func(w http.ResponseWriter, _ *http.Request) { script(w, "export default 1") })
	mux.HandleFunc("/socket/worker.js", func(w http.ResponseWriter, _ *http.Request) { script(w, serviceSocket()) })
	mux.HandleFunc("/worker.js", func(w http.ResponseWriter, _ *http.Request) { script(w, "postMessage(1)") })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// servePage serves the page with all ways that don't leave it.
func (s *Site) servePage(w http.ResponseWriter, r *http.Request) {
	var all []snippet
	for _, route := range s.routes {
		if route.kind != onTop && (route.kind != secure || r.TLS != nil) {
			all = append(all, s.snippet(route))
		}
	}
	s.page(w, r, all)
}

// serveSingle serves the page with one way that leaves it.
func (s *Site) serveSingle(w http.ResponseWriter, r *http.Request) {
	route, ok := s.find(r.PathValue("way"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.page(w, r, []snippet{s.snippet(route)})
}

func (s *Site) page(w http.ResponseWriter, r *http.Request, all []snippet) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pageTemplate.Execute(w, map[string]any{ // the browser may have disconnected
		"Ways": all, "Alone": r.URL.Path != "/", "Outside": "https://" + Outside + "/picture", "Sockets": sockets,
	})
}

// end receives the page's report of what it has done.
func (s *Site) end(w http.ResponseWriter, r *http.Request) {
	var report struct {
		Tried  []string          `json:"tried"`
		Thrown map[string]string `json:"thrown"`
		Works  []string          `json:"works"`
	}
	if json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&report) != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	s.note(func() {
		for _, name := range report.Tried {
			s.tried[name] = true
		}
		maps.Copy(s.pageErrors, report.Thrown)
		page := workPage
		if r.TLS != nil {
			page = workSecure
			for _, name := range report.Works {
				s.works[name] = true
			}
		}
		s.works[page], s.finished[page] = true, true
	})
}

// hop redirects to a way's server, after some redirects to itself.
func (s *Site) hop(w http.ResponseWriter, r *http.Request) {
	route, ok := s.find(r.PathValue("way"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	code, err := strconv.Atoi(r.FormValue("code"))
	if err != nil || code < 300 || code > 399 {
		code = http.StatusFound
	}
	to := s.forbidden.url(route)
	if after, _ := strconv.Atoi(r.FormValue("after")); after > 0 && after < 10 {
		to = fmt.Sprintf("/hop/%s?after=%d", route.name, after-1)
	}
	w.Header().Set("Location", to)
	w.WriteHeader(code)
}

// header serves the ways that use a response header.
func (s *Site) header(w http.ResponseWriter, r *http.Request) {
	route, ok := s.find(r.PathValue("way"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	u, h := s.forbidden.url(route), w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	body := "<!doctype html>"
	switch route.name {
	case "preload-header":
		h.Set("Link", "<"+u+">; rel=preload; as=image")
	case "preconnect-header":
		h.Set("Link", "<"+u+">; rel=preconnect")
	case "csp-report":
		h.Set("Content-Security-Policy", "img-src 'none'; report-uri "+u)
		body += `<img src="/picture">`
	case "reporting": // endpoints must be https
		h.Set("Reporting-Endpoints", `way="https://`+s.forbidden.hostPort(route)+`/"`)
		h.Set("Content-Security-Policy", "img-src 'none'; report-to way")
		body += `<img src="/picture">`
	case "nel":
		h.Set("Report-To", `{"group":"way","max_age":600,"endpoints":[{"url":"https://`+s.forbidden.hostPort(route)+`/"}]}`)
		h.Set("NEL", `{"report_to":"way","max_age":600,"success_fraction":1.0,"failure_fraction":1.0}`)
	case "speculation-prerender":
		body += `<img src="` + u + `">`
	default:
		h.Set("Refresh", "0;url="+u)
	}
	_, _ = io.WriteString(w, body)
}

// serviceWorker serves the worker of a way and the page that the worker intercepts. The
// page itself redirects too, so that the way is tried even if service workers are
// bypassed.
func (s *Site) serviceWorker(w http.ResponseWriter, r *http.Request) {
	route, ok := s.find(r.PathValue("way"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	u := s.forbidden.url(route)
	if r.PathValue("file") == "page" {
		http.Redirect(w, r, u, http.StatusFound)
		return
	}
	begin := fmt.Sprintf(`fetch("/tried/%s").catch(() => {}); self.oninstall = () => skipWaiting(); self.onactivate = e => e.waitUntil(clients.claim());`, route.name)
	switch route.name {
	case "service-fetch":
		begin += fmt.Sprintf(`fetch(%q, {mode: "no-cors"})`, u)
	case "service-import":
		begin += fmt.Sprintf(`importScripts(%q)`, u)
	case "service-websocket":
		begin += fmt.Sprintf(`new WebSocket(%q)`, "ws"+strings.TrimPrefix(u, "http"))
	case "service-redirect":
		begin += fmt.Sprintf(`self.onfetch = e => e.respondWith(Response.redirect(%q))`, u)
	case "service-preload":
		begin += `self.onactivate = e => e.waitUntil(registration.navigationPreload.enable().then(() => clients.claim()));
			self.onfetch = e => e.respondWith(e.preloadResponse)`
	}
	script(w, begin)
}

func (s *Site) find(name string) (route, bool) {
	for _, w := range s.routes {
		if w.name == name {
			return w, true
		}
	}
	return route{}, false
}

func script(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/javascript")
	_, _ = io.WriteString(w, text)
}

func serveImage(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`)
}
