package transfer

// Extended attributes of a downloaded file: its URL, as in freedesktop.org's common
// extended attributes, and the call that downloaded it.
const (
	OriginMark = "user.xdg.origin.url"
	KeyMark    = "user.errand.call"
)
