package transfer

// What a downloaded file is marked with, in its extended attributes: where it came
// from, as freedesktop.org's common attributes have it, and whose call fetched it.
const (
	OriginMark = "user.xdg.origin.url"
	KeyMark    = "user.errand.call"
)
