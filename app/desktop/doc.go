// Package desktop is what the window may call and the life that the window
// has.
//
// The truth is kept here and not in the page: [API] holds every run as a flat,
// JSON-tagged view, numbers each change of it and sends the change as a
// [RunEvent]; a page that missed one asks again with [API.Get]. [Shell] owns the
// window: it starts, asks before it closes on a run, and leaves nothing behind.
//
// The TypeScript face of all this, frontend/src/lib/api.ts, is generated from
// the Go types by the package's test; see typescript_test.go.
package desktop
