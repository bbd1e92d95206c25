package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"errand/app/desktop"
	"errand/planner/message"
)

// protect rejects cross-site requests before they reach next. It also sets the security
// headers of every response.
func (s *Server) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", desktop.ContentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !isOwnHost(r):
			s.refuse(w, http.StatusForbidden, "foreign_host", message.New("web.foreign_host", "host", r.Host))
		case !isOwnOrigin(r):
			s.refuse(w, http.StatusForbidden, "foreign_origin", message.New("web.foreign_origin"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// isOwnHost reports whether the Host header is a loopback name or the address that the
// request came in on. It doesn't compare the port, because ssh -L may use another one.
func isOwnHost(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	if ip.IsLoopback() {
		return true
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return local != nil && local.AddrPort().Addr().Unmap() == ip
}

// isOwnOrigin reports whether the request comes from this page or from a program that is not
// a browser, such as curl.
func isOwnOrigin(r *http.Request) bool {
	if origin := r.Header.Values("Origin"); len(origin) > 0 && (len(origin) > 1 || origin[0] != "http://"+r.Host) {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin":
		return true
	case "none": // typed, or opened from a bookmark
		return r.Method == http.MethodGet
	}
	// A link on another site may only open the page itself.
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
}
