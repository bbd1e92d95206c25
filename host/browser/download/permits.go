// Package download lets one page at a time make one download, and deletes what other pages download.
package download

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/initiator"
	"errand/host/tool"
	"errand/planner/message"
)

// Permits tracks which pages may download. Chromium has one switch for the whole
// browser, which is on only while at least one page may download. A download of another
// page is then cancelled and deleted immediately.
type Permits struct {
	o Options

	setting sync.Mutex // held while the switch is changed; never by event handlers

	mu       sync.Mutex
	byTab    map[proto.TargetTargetID]*Download
	byGUID   map[string]*Download
	deniedAt map[string]time.Time // when, by GUID, until Chromium says that it has ended
	allowed  bool                 // a page was allowed to download, so Chromium had a folder for downloads
	sweeping bool                 // sweep is running

	open int // number of pages that may download; the holder of setting reads and writes it
}

// Options are the browser whose pages download.
type Options struct {
	Folder    func() string                                                                // for unfinished downloads, by their GUID
	Life      context.Context                                                              // done when the browser ends
	Call      func(context.Context, proto.TargetSessionID, time.Duration) chromium.Session // to a session; "" is the browser's
	PageOf    func(proto.TargetSessionID) (proto.TargetTargetID, bool)                     // of a session; false if it has none
	Documents *initiator.Documents
}

// Page is a page that may download.
type Page struct {
	ID   proto.TargetTargetID
	Call func(context.Context, time.Duration) chromium.Session
}

// Terms limit a download.
type Terms struct {
	MaxBytes int64
	HTML     bool            // save HTML pages, too
	Frame    *document.Frame // that may start it, beside those of the page's origin; nil: none
}

// New returns the permits of a browser; no page may download.
func New(o Options) *Permits {
	return &Permits{o: o, byTab: map[proto.TargetTargetID]*Download{}, byGUID: map[string]*Download{}, deniedAt: map[string]time.Time{}}
}

// root makes calls to the browser itself.
func (ds *Permits) root(ctx context.Context) chromium.Session {
	return ds.o.Call(ctx, "", chromium.CallTimeout)
}

// Allow lets one page make one download. The caller must call the returned function.
func (ds *Permits) Allow(ctx context.Context, t Page, terms Terms) (*Download, func(), error) {
	d := &Download{Terms: terms, permits: ds, changed: make(chan struct{})}
	ds.setting.Lock()
	defer ds.setting.Unlock()
	if err := os.MkdirAll(ds.o.Folder(), 0o700); err != nil {
		return nil, nil, err
	}
	ds.mu.Lock()
	ds.allowed = true // before the switch: other pages' downloads begin as soon as it is on
	ds.mu.Unlock()
	if ds.open == 0 {
		err := proto.BrowserSetDownloadBehavior{
			Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllowAndName, DownloadPath: ds.o.Folder(), EventsEnabled: true,
		}.Call(ds.root(ctx))
		if err != nil {
			return nil, nil, err
		}
	}
	ds.open++
	ds.mu.Lock()
	ds.byTab[t.ID] = d
	ds.mu.Unlock()
	if err := ds.force(ctx, t); err != nil {
		ds.end(t, d)
		return nil, nil, err
	}
	return d, func() {
		ds.setting.Lock()
		defer ds.setting.Unlock()
		ds.end(t, d)
	}, nil
}

// end revokes the permission of a page, cancels its download, and deletes its data. The
// caller holds setting.
func (ds *Permits) end(t Page, d *Download) {
	d.mu.Lock()
	guid, state := d.guid, d.state
	d.mu.Unlock()
	var opened []proto.TargetTargetID // windows that the download opened
	ds.mu.Lock()
	maps.DeleteFunc(ds.byTab, func(id proto.TargetTargetID, of *Download) bool {
		if of == d && id != t.ID {
			opened = append(opened, id)
		}
		return of == d
	})
	delete(ds.byGUID, guid)
	ds.mu.Unlock()
	root := ds.root(ds.o.Life)
	if guid != "" && state != proto.BrowserDownloadProgressStateCompleted {
		_ = proto.BrowserCancelDownload{GUID: guid}.Call(root)
	}
	for _, id := range opened {
		_, _ = proto.TargetCloseTarget{TargetID: id}.Call(root)
	}
	_ = proto.FetchDisable{}.Call(t.Call(ds.o.Life, closeTimeout))
	if ds.open--; ds.open == 0 {
		_ = proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, EventsEnabled: true}.Call(root)
	}
	ds.delete(guid)
	ds.startSweep()
}

// delete removes the data of a download.
func (ds *Permits) delete(guid string) {
	if guid == "" {
		return
	}
	for _, path := range ds.files(guid) {
		_ = os.Remove(path)
	}
}

func (ds *Permits) files(guid string) []string {
	whole := filepath.Join(ds.o.Folder(), guid)
	return []string{whole, whole + ".crdownload"}
}

// size returns the size of a download's data on disk. Chromium's events are too infrequent
// for a fast connection.
func (ds *Permits) size(guid string) (n int64) {
	for _, path := range ds.files(guid) {
		if info, err := os.Stat(path); err == nil {
			n = max(n, info.Size())
		}
	}
	return n
}

// find returns the allowed download of a page, or nil.
func (ds *Permits) find(page proto.TargetTargetID) *Download {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.byTab[page]
}

// IsAllowed reports whether a page may download.
func (ds *Permits) IsAllowed(page proto.TargetTargetID) bool { return ds.find(page) != nil }

// Inherit lets a page that another one opened make its download, because a link may open a
// window for its target. A window without a known opener is attributed to the only page
// that waits for a download, if there is exactly one.
func (ds *Permits) Inherit(opener, id proto.TargetTargetID) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.byTab[opener]
	if opener == "" && len(ds.byTab) == 1 {
		for _, only := range ds.byTab {
			only.mu.Lock()
			if only.guid == "" && !only.HTML {
				d = only
			}
			only.mu.Unlock()
		}
	}
	if d != nil {
		ds.byTab[id] = d
	}
	return d != nil
}

// HandleStart handles the start of a download of a page, "" if that is unknown. It cancels one that no page is allowed to
// make, or that a frame of another origin starts, and returns false. It must not block.
func (ds *Permits) HandleStart(page proto.TargetTargetID, e *proto.BrowserDownloadWillBegin) bool {
	d := ds.find(page)
	mine := false
	if d != nil && (d.Frame != nil && e.FrameID == d.Frame.ID || e.FrameID == proto.PageFrameID(page) || ds.o.Documents.SameOrigin(e.FrameID, proto.PageFrameID(page))) {
		d.update(func(d *Download) {
			if mine = d.guid == "" && d.refusal == nil; mine {
				d.guid, d.url, d.name = e.GUID, e.URL, e.SuggestedFilename
				d.Page = ds.o.Documents.Page(e.FrameID)
			}
		})
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if mine {
		ds.byGUID[e.GUID] = d
	} else if ds.allowed { // the switch may have been on when it began, whatever it is now
		ds.deniedAt[e.GUID] = time.Now() // a small file may be complete before the cancel arrives
		go func() {
			_ = proto.BrowserCancelDownload{GUID: e.GUID}.Call(ds.root(ds.o.Life))
			ds.delete(e.GUID)
			ds.startSweep()
		}()
	}
	return mine
}

// HandleProgress handles news of a download.
func (ds *Permits) HandleProgress(e *proto.BrowserDownloadProgress) {
	ds.mu.Lock()
	d := ds.byGUID[e.GUID]
	_, denied := ds.deniedAt[e.GUID]
	ended := denied && e.State != proto.BrowserDownloadProgressStateInProgress
	if ended {
		delete(ds.deniedAt, e.GUID)
	}
	ds.mu.Unlock()
	if ended {
		ds.delete(e.GUID)
	}
	if d != nil {
		d.update(func(d *Download) {
			d.got, d.total, d.state = int64(e.ReceivedBytes), int64(e.TotalBytes), e.State
		})
	}
}

// ForcePopup is like force, for a window that a page with a download opened.
func (ds *Permits) ForcePopup(page proto.TargetTargetID) func(proto.Client) error {
	return func(to proto.Client) error {
		if ds.find(page) == nil {
			return nil
		}
		return pauseDocuments.Call(to)
	}
}

// force pauses the page's documents again when their headers have arrived. A document that
// Chromium would show, such as a PDF, can then be saved instead.
func (ds *Permits) force(ctx context.Context, t Page) error {
	return pauseDocuments.Call(t.Call(ctx, chromium.CallTimeout))
}

var pauseDocuments = proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{
	URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageResponse,
}}}

// HandleResponse handles the headers of a document in a page that may download.
func (ds *Permits) HandleResponse(from proto.TargetSessionID, e *proto.FetchRequestPaused) {
	go func() {
		to := ds.o.Call(ds.o.Life, from, chromium.CallTimeout)
		page, _ := ds.o.PageOf(from)
		d := ds.find(page)
		if d == nil || e.FrameID != proto.PageFrameID(page) || e.ResponseStatusCode == nil || *e.ResponseStatusCode >= 300 && *e.ResponseStatusCode < 400 {
			_ = proto.FetchContinueResponse{RequestID: e.RequestID}.Call(to)
			return
		}
		headers, html, size := attachment(e.ResponseHeaders)
		if !html || d.HTML {
			d.update(func(d *Download) { d.MediaType = mediaType(e.ResponseHeaders) })
		}
		switch status := *e.ResponseStatusCode; {
		case html && !d.HTML: // an intermediate page
			_ = proto.FetchContinueResponse{RequestID: e.RequestID}.Call(to)
			return
		case status >= 400:
			d.refuse(tool.NewError(tool.ExecutionError, "http_error", message.New("browser.http_error", "host", address.Host(e.Request.URL), "status", status)))
		case status == 204 || status == 205:
			d.refuse(emptyAnswerError(e.Request.URL))
		case size > d.MaxBytes:
			d.refuse(tooLargeError(size, d.MaxBytes))
		default:
			_ = proto.FetchContinueResponse{RequestID: e.RequestID, ResponseCode: e.ResponseStatusCode, ResponseHeaders: headers}.Call(to)
			return
		}
		_ = proto.FetchFailRequest{RequestID: e.RequestID, ErrorReason: proto.NetworkErrorReasonAborted}.Call(to)
	}()
}
