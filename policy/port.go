package policy

// defaultPort returns the port of a web scheme, 0 for any other scheme.
func defaultPort(scheme string) uint16 {
	switch scheme {
	case "https", "wss":
		return 443
	case "http", "ws":
		return 80
	}
	return 0
}

// isTLS reports whether a web scheme uses TLS.
func isTLS(scheme string) bool { return scheme == "https" || scheme == "wss" }
