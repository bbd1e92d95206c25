// Package chromium starts Chromium, transports the DevTools protocol, and removes the
// remains of interrupted runs.
package chromium
