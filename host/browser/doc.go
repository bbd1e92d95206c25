// Package browser drives a real Chromium: it starts one for a run, opens pages
// in it, and leaves nothing of it behind.
//
// # What keeps a page in its place
//
// The boundary is the forward proxy that the browser is forced through; it is
// handed in by address, and [Launch] refuses to start without it. On top of it
// the DevTools Fetch domain pauses every request of the whole browser and asks
// [Options.Decide], which sees the exact URL and kind where the proxy sees a
// host and a port. That layer explains and fails closed. WebSockets it can't
// pause: it is told of those of pages, frames and workers, so that the proxy may
// open for them, and the proxy alone stops them. Name resolution inside the
// browser, QUIC and WebRTC's own UDP are switched off.
//
// # What keeps it from outliving us
//
// Chromium speaks DevTools over a pipe on its file descriptors 3 and 4. When
// the program dies, however it dies, the pipe closes and Chromium ends itself;
// no TCP port is open for others to connect to. It runs in a process group of
// its own, which [Browser.Close] ends by force where asking did not help, and
// in a scratch folder with its profile, its temporary files and what is under
// way. If Close never came, the next [Sweep] removes the folder once the last
// process of that browser has ended. A profile with a name is kept ([Profiles]).
//
// A browser that the person started is another matter: see [Attach].
//
// This is the only package that imports rod.
package browser
