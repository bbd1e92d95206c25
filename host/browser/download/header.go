package download

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
)

// attachment returns headers that make Chromium save the document. html reports whether it
// would have been shown as a page. size is its declared length, or 0.
func attachment(headers []*proto.FetchHeaderEntry) (out []*proto.FetchHeaderEntry, html bool, size int64) {
	disposition := "attachment"
	for _, h := range headers {
		switch {
		case strings.EqualFold(h.Name, "Content-Disposition"):
			if _, params, has := strings.Cut(h.Value, ";"); has {
				disposition = "attachment;" + params
			}
			continue
		case strings.EqualFold(h.Name, "Content-Type"):
			html = slices.Contains([]string{"text/html", "application/xhtml+xml"}, bareType(h.Value))
		case strings.EqualFold(h.Name, "Content-Length"):
			size, _ = strconv.ParseInt(h.Value, 10, 64)
		}
		out = append(out, h)
	}
	if html {
		for _, h := range headers { // a page with Content-Disposition: attachment is not shown
			if strings.EqualFold(h.Name, "Content-Disposition") && strings.HasPrefix(strings.ToLower(strings.TrimSpace(h.Value)), "attachment") {
				html = false
			}
		}
	}
	return append(out, &proto.FetchHeaderEntry{Name: "Content-Disposition", Value: disposition}), html, size
}

// mediaType returns the media type in the headers, or "".
func mediaType(headers []*proto.FetchHeaderEntry) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Content-Type") {
			return address.Clip(bareType(h.Value))
		}
	}
	return ""
}

// bareType returns a Content-Type without its parameters.
func bareType(value string) string {
	kind, _, _ := strings.Cut(strings.ToLower(value), ";")
	return strings.TrimSpace(kind)
}
