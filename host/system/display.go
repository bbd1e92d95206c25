package system

// HasDisplay reports whether a window can be shown: a display is set, and one of this machine
// answers. It takes at most a few seconds.
func HasDisplay() bool { return missingDisplay().IsZero() }
