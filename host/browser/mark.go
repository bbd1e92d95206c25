package browser

// What a downloaded file is marked with, in its extended attributes: where it came
// from, as freedesktop.org's common attributes have it, and whose call fetched it.
const (
	originMark = "user.xdg.origin.url"
	keyMark    = "user.errand.call"
)
