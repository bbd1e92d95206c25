package view

import "net/url"

// PictureTypes are the media types that the page may load. What can carry script,
// SVG and HTML above all, is never served: it would have the page's origin.
var PictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true}

func ArtifactURL(run, step, name string) string {
	return "/artifacts/" + url.PathEscape(run) + "/" + url.PathEscape(step) + "/" + url.PathEscape(name)
}
