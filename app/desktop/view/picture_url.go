package view

import "net/url"

// PictureTypes are the media types that the page may load. Types that can contain scripts, such
// as SVG and HTML, are never served, because the scripts would run with the page's origin.
var PictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/webp": true}

func ArtifactURL(run, step, name string) string {
	return "/artifacts/" + url.PathEscape(run) + "/" + url.PathEscape(step) + "/" + url.PathEscape(name)
}
