package page

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/tool"
	"errand/planner/message"
)

// downloads tracks which pages may download. Chromium has one switch for the whole
// browser, which is on only while at least one page may download. A download of another
// page is then cancelled and deleted immediately.
type downloads struct {
	b *Browser

	setting sync.Mutex // held while the switch is changed; never by event handlers

	mu       sync.Mutex
	byTab    map[proto.TargetTargetID]*download
	byGUID   map[string]*download
	deniedAt map[string]time.Time // when, by GUID, until Chromium says that it has ended
	allowed  bool                 // a page was allowed to download, so Chromium had a folder for downloads
	sweeping bool                 // sweep is running

	open int // number of pages that may download; the holder of setting reads and writes it
}

func newDownloads(b *Browser) *downloads {
	return &downloads{b: b, byTab: map[proto.TargetTargetID]*download{}, byGUID: map[string]*download{}, deniedAt: map[string]time.Time{}}
}

// download is a download that a page is allowed to make.
type download struct {
	maxBytes int64
	html     bool            // save HTML pages, too
	frame    *document.Frame // that may start it, beside those of the page's origin; nil: none

	mu      sync.Mutex
	changed chan struct{} // closed and replaced with each change
	guid    string        // "" until the download starts
	url     string        // after redirects
	page    string        // URL of the document that starts it, or [policy.UnknownPage]
	name    string        // suggested by the server or the page
	got     int64
	total   int64 // 0: unknown
	state   proto.BrowserDownloadProgressState
	refusal *tool.Error

	mediaType string // according to the server, without parameters
}

func (d *download) update(f func(*download)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(d)
	close(d.changed)
	d.changed = make(chan struct{})
}

// folder returns the folder where Chromium stores unfinished downloads by their GUID.
func (ds *downloads) folder() string { return filepath.Join(ds.b.instance.Folder(), "downloads") }

// allow lets one page make one download. The caller must call the returned function.
func (ds *downloads) allow(ctx context.Context, t *Tab, most int64, html bool, frame *document.Frame) (*download, func(), error) {
	d := &download{maxBytes: most, html: html, frame: frame, changed: make(chan struct{})}
	ds.setting.Lock()
	defer ds.setting.Unlock()
	if err := os.MkdirAll(ds.folder(), 0o700); err != nil {
		return nil, nil, err
	}
	ds.mu.Lock()
	ds.allowed = true // before the switch: other pages' downloads begin as soon as it is on
	ds.mu.Unlock()
	if ds.open == 0 {
		err := proto.BrowserSetDownloadBehavior{
			Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllowAndName, DownloadPath: ds.folder(), EventsEnabled: true,
		}.Call(ds.b.Root(ctx))
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
func (ds *downloads) end(t *Tab, d *download) {
	d.mu.Lock()
	guid, state := d.guid, d.state
	d.mu.Unlock()
	var opened []proto.TargetTargetID // windows that the download opened
	ds.mu.Lock()
	maps.DeleteFunc(ds.byTab, func(id proto.TargetTargetID, of *download) bool {
		if of == d && id != t.ID {
			opened = append(opened, id)
		}
		return of == d
	})
	delete(ds.byGUID, guid)
	ds.mu.Unlock()
	root := ds.b.Root(ds.b.life)
	if guid != "" && state != proto.BrowserDownloadProgressStateCompleted {
		_ = proto.BrowserCancelDownload{GUID: guid}.Call(root)
	}
	for _, id := range opened {
		_, _ = proto.TargetCloseTarget{TargetID: id}.Call(root)
	}
	_ = proto.FetchDisable{}.Call(t.Call(ds.b.life, closeTimeout))
	if ds.open--; ds.open == 0 {
		_ = proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, EventsEnabled: true}.Call(root)
	}
	ds.delete(guid)
	ds.startSweep()
}

// delete removes the data of a download.
func (ds *downloads) delete(guid string) {
	if guid == "" {
		return
	}
	for _, path := range ds.files(guid) {
		_ = os.Remove(path)
	}
}

func (ds *downloads) files(guid string) []string {
	whole := filepath.Join(ds.folder(), guid)
	return []string{whole, whole + ".crdownload"}
}

// size returns the size of a download's data on disk. Chromium's events are too infrequent
// for a fast connection.
func (ds *downloads) size(guid string) (n int64) {
	for _, path := range ds.files(guid) {
		if info, err := os.Stat(path); err == nil {
			n = max(n, info.Size())
		}
	}
	return n
}

// find returns the allowed download of the page with a frame, or nil.
func (ds *downloads) find(t *Tab) *download {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if t == nil {
		return nil
	}
	return ds.byTab[t.ID]
}

// inherit lets a page that another one opened make its download, because a link may open a
// window for its target. A window without a known opener is attributed to the only page
// that waits for a download, if there is exactly one.
func (ds *downloads) inherit(opener, id proto.TargetTargetID) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.byTab[opener]
	if opener == "" && len(ds.byTab) == 1 {
		for _, only := range ds.byTab {
			only.mu.Lock()
			if only.guid == "" && !only.html {
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

// handleStart handles the start of a download. It cancels one that no page is allowed to
// make, or that a frame of another origin starts, and returns false. It must not block.
func (ds *downloads) handleStart(t *Tab, e *proto.BrowserDownloadWillBegin) bool {
	d := ds.find(t)
	mine := false
	if d != nil && (d.frame != nil && e.FrameID == d.frame.ID || e.FrameID == proto.PageFrameID(t.ID) || ds.b.tabs.documents.SameOrigin(e.FrameID, proto.PageFrameID(t.ID))) {
		d.update(func(d *download) {
			if mine = d.guid == "" && d.refusal == nil; mine {
				d.guid, d.url, d.name = e.GUID, e.URL, e.SuggestedFilename
				d.page = ds.b.tabs.documents.Page(e.FrameID)
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
			_ = proto.BrowserCancelDownload{GUID: e.GUID}.Call(ds.b.Root(ds.b.life))
			ds.delete(e.GUID)
			ds.startSweep()
		}()
	}
	return mine
}

func (ds *downloads) handleProgress(e *proto.BrowserDownloadProgress) {
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
		d.update(func(d *download) {
			d.got, d.total, d.state = int64(e.ReceivedBytes), int64(e.TotalBytes), e.State
		})
	}
}

// forcePopup is like force, for a window that a page with a download opened.
func (ds *downloads) forcePopup(t *Tab) func(proto.Client) error {
	return func(to proto.Client) error {
		if ds.find(t) == nil {
			return nil
		}
		return pauseDocuments.Call(to)
	}
}

// force pauses the page's documents again when their headers have arrived. A document that
// Chromium would show, such as a PDF, can then be saved instead.
func (ds *downloads) force(ctx context.Context, t *Tab) error {
	return pauseDocuments.Call(t.Call(ctx, chromium.CallTimeout))
}

var pauseDocuments = proto.FetchEnable{Patterns: []*proto.FetchRequestPattern{{
	URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageResponse,
}}}

// handleResponse handles the headers of a document in a page that may download.
func (ds *downloads) handleResponse(from proto.TargetSessionID, e *proto.FetchRequestPaused) {
	go func() {
		to := ds.b.bindSession(ds.b.life, from, chromium.CallTimeout)
		t := ds.b.tabs.ofSession(from)
		d := ds.find(t)
		if d == nil || e.FrameID != proto.PageFrameID(t.ID) || e.ResponseStatusCode == nil || *e.ResponseStatusCode >= 300 && *e.ResponseStatusCode < 400 {
			_ = proto.FetchContinueResponse{RequestID: e.RequestID}.Call(to)
			return
		}
		headers, html, size := attachment(e.ResponseHeaders)
		if !html || d.html {
			d.update(func(d *download) { d.mediaType = mediaType(e.ResponseHeaders) })
		}
		switch status := *e.ResponseStatusCode; {
		case html && !d.html: // an intermediate page
			_ = proto.FetchContinueResponse{RequestID: e.RequestID}.Call(to)
			return
		case status >= 400:
			d.refuse(tool.NewError(tool.ExecutionError, "http_error", message.New("browser.http_error", "host", address.Host(e.Request.URL), "status", status)))
		case status == 204 || status == 205:
			d.refuse(emptyAnswerError(e.Request.URL))
		case size > d.maxBytes:
			d.refuse(tooLargeError(size, d.maxBytes))
		default:
			_ = proto.FetchContinueResponse{RequestID: e.RequestID, ResponseCode: e.ResponseStatusCode, ResponseHeaders: headers}.Call(to)
			return
		}
		_ = proto.FetchFailRequest{RequestID: e.RequestID, ErrorReason: proto.NetworkErrorReasonAborted}.Call(to)
	}()
}

func (d *download) refuse(why *tool.Error) {
	d.update(func(d *download) {
		if d.refusal == nil {
			d.refusal = why
		}
	})
}

// attachment returns headers that make Chromium save the document. html reports whether it
// would have been shown as a page. size is its declared length, or 0.
func attachment(headers []*proto.FetchHeaderEntry) (out []*proto.FetchHeaderEntry, html bool, size int64) {
	disposition := "attachment"
	for _, h := range headers {
		switch {
		case strings.EqualFold(h.Name, "Content-Disposition"):
			if _, params, has := strings.Cut(h.Value, ";"); has {
				disposition = "attachment;" + params
			}
			continue
		case strings.EqualFold(h.Name, "Content-Type"):
			html = slices.Contains([]string{"text/html", "application/xhtml+xml"}, bareType(h.Value))
		case strings.EqualFold(h.Name, "Content-Length"):
			size, _ = strconv.ParseInt(h.Value, 10, 64)
		}
		out = append(out, h)
	}
	if html {
		for _, h := range headers { // a page with Content-Disposition: attachment is not shown
			if strings.EqualFold(h.Name, "Content-Disposition") && strings.HasPrefix(strings.ToLower(strings.TrimSpace(h.Value)), "attachment") {
				html = false
			}
		}
	}
	return append(out, &proto.FetchHeaderEntry{Name: "Content-Disposition", Value: disposition}), html, size
}

// mediaType returns the media type in the headers, or "".
func mediaType(headers []*proto.FetchHeaderEntry) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Content-Type") {
			return address.Clip(bareType(h.Value))
		}
	}
	return ""
}

// bareType returns a Content-Type without its parameters.
func bareType(value string) string {
	kind, _, _ := strings.Cut(strings.ToLower(value), ";")
	return strings.TrimSpace(kind)
}
