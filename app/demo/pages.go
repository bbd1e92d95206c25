package demo

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

//go:embed web
var files embed.FS

var templates = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(files, "web/*.html")) })

// maxQuery is the maximum length of a displayed query, in bytes.
const maxQuery = 200

// page is the data of the template.
type page struct {
	Site      site
	Query     string
	Title     string
	Parameter string // the name of the search field
	Hue       int    // the site's colour, which isn't that of a real brand
	Entries   []entry
	Wide      entry // for the home page's picture
}

// pages are the pages of every host of the demo.
type pages struct{ log atomic.Pointer[slog.Logger] }

// handler serves the pages over https.
func (p *pages) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /-/demo.css", func(rw http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(rw, r, files, "web/demo.css")
	})
	mux.HandleFunc("GET /avatar/{hue}", avatar)
	mux.HandleFunc("GET /favicon.ico", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /", p.results)
	return toApex(mux)
}

// toApex redirects www.host to host, as many sites do.
func toApex(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if host, ok := strings.CutPrefix(r.Host, "www."); ok {
			http.Redirect(rw, r, "https://"+host+r.URL.RequestURI(), http.StatusMovedPermanently)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// toHTTPS redirects http to https.
func toHTTPS(rw http.ResponseWriter, r *http.Request) {
	http.Redirect(rw, r, "https://"+r.Host+r.URL.RequestURI(), http.StatusMovedPermanently)
}

// results serves the results of a query, or the home page without one.
func (p *pages) results(rw http.ResponseWriter, r *http.Request) {
	if log := p.log.Load(); log != nil {
		log.Info("demo page", "url", "https://"+r.Host+r.URL.RequestURI())
	}
	s := siteOf(r.Host)
	query, parameter := queryOf(r.URL)
	if r.URL.RawQuery == "" && file(rw, r.URL.Path) {
		return
	}
	query = clip(strings.ToValidUTF8(query, "�"))
	if parameter == "" {
		parameter = "q"
	}
	data := page{
		Site: s, Query: query, Parameter: parameter, Title: s.Name + " (demo)",
		Hue: int(seed(s.Host, "", 0) % 360), Wide: entry{Art: artOf(seed(s.Host, "home", 0), 0)},
	}
	if query != "" {
		data.Title, data.Entries = query+" - "+s.Name+" (demo)", entriesOf(s, query)
	}
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, "page.html", data); err != nil {
		http.Error(rw, "the demo page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src https://"+s.Pictures()+"; form-action 'self'; base-uri 'none'")
	rw.Header().Set("Cache-Control", "no-store")
	_, _ = body.WriteTo(rw) // the browser may have disconnected
}

// avatar serves a round picture of one hue.
func avatar(rw http.ResponseWriter, r *http.Request) {
	hue, err := strconv.Atoi(strings.TrimSuffix(r.PathValue("hue"), ".svg"))
	if err != nil || hue < 0 || hue >= 360 {
		http.NotFound(rw, r)
		return
	}
	rw.Header().Set("Content-Type", "image/svg+xml")
	_, _ = fmt.Fprintf(rw, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">`+
		`<circle cx="20" cy="20" r="20" fill="hsl(%d 45%% 62%%)"/>`+
		`<circle cx="20" cy="16" r="7" fill="hsl(%[1]d 45%% 90%%)"/>`+
		`<path d="M6 36a14 12 0 0 1 28 0" fill="hsl(%[1]d 45%% 90%%)"/></svg>`, hue)
}

func clip(s string) string {
	if len(s) <= maxQuery {
		return s
	}
	cut := maxQuery
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
