// Package chromium starts Chromium, carries the DevTools protocol to it, and
// removes what a dead run left of it.
package chromium
