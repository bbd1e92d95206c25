// Package browser has the tests that drive a real Chromium through the packages
// below it:
//
//   - actions has the tools: what a plan can do with a browser.
//   - page has the browser and its tabs, and decides on each of their requests.
//   - document finds elements in a tab and acts on them.
//   - chromium starts the process, and removes what an interrupted run left.
//   - transfer saves and reads files in granted folders.
//   - address formats URLs and texts of pages for people.
//   - locator, axtree, results and challenge need no browser.
//
// # The boundary around a page
//
// All traffic goes through a forward proxy, which is the boundary. It is handed in
// by address, and [errand/host/browser/page.Launch] refuses to start without it. On
// top of it the DevTools Fetch domain pauses every request and asks
// [errand/host/browser/page.Options.Decide], which sees the URL and the kind where
// the proxy sees a host and a port. That layer explains and fails closed. It can't
// pause WebSockets: it learns of them, so that the proxy may open for them, and
// only the proxy stops them. Name resolution inside the browser, QUIC and WebRTC's
// own UDP are off.
//
// # The end of a browser
//
// Chromium speaks DevTools over a pipe on its file descriptors 3 and 4. When the
// program dies, the pipe closes and Chromium ends itself. No TCP port is open. It
// runs in a process group of its own, which Close ends by force if asking did not
// help, and in a scratch folder with its profile and temporary files. If Close
// never came, the next [errand/host/browser/chromium.Sweep] removes the folder once
// the last process of that browser has ended.
// [errand/host/browser/chromium.Profiles] keep named profiles.
//
// A browser that the user started is described at
// [errand/host/browser/page.Attach].
package browser
