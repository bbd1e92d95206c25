package desktop

import (
	"context"
	"sync"
	"time"

	"errand/app/desktop/view"
	"errand/app/i18n"
)

// keepTimeout is how long the end may take to start the resident process.
const keepTimeout = 10 * time.Second

// Life has the methods of an API that only the program may call.
type Life struct {
	api *API

	uploading sync.Mutex // one at a time
	upload    string     // the folder of the file that was handed over last; "" for none

	ending sync.Once
	ended  chan struct{} // closed when err is known
	err    error
}

// API returns the methods that the page can call.
func (l *Life) API() *API { return l.api }

// Boot returns the first message for the page.
func (l *Life) Boot() view.Boot { return l.api.first() }

// Language returns the language of the page.
func (l *Life) Language() *i18n.Language { return l.api.language() }

// Format converts an error to a [view.Failure] in the page's language.
func (l *Life) Format(err error) any { return view.Say(l.Language(), view.FailureOf(err)) }

// Private returns a folder for files that other users must not read.
func (l *Life) Private() string {
	l.api.mu.Lock()
	defer l.api.mu.Unlock()
	return l.api.conf.Paths.Cache
}

// MustConfirmClose reports whether closing now would end a run that the user did not agree to end.
func (l *Life) MustConfirmClose() bool {
	l.api.mu.Lock()
	defer l.api.mu.Unlock()
	return l.api.current.Active() && !l.api.mayClose
}

// End stops the active run and everything that the API started, and closes the program. It
// returns when this is done, or with ctx's error when ctx is done. Every call waits for the
// same end.
func (l *Life) End(ctx context.Context) error {
	l.uploading.Lock()
	l.dropUpload()
	l.uploading.Unlock()
	l.api.mu.Lock()
	l.api.end() // from here on no run begins
	l.api.mu.Unlock()
	l.ending.Do(func() {
		l.ended = make(chan struct{})
		go func() { // ends with the run and the engine's own deadlines
			defer close(l.ended)
			l.err = l.close()
		}()
	})
	select {
	case <-l.ended:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close waits for the last run and the API's goroutines and closes the engine.
func (l *Life) close() error {
	a := l.api
	if run := a.latest(); run != nil {
		<-run.Done()
	}
	a.owns.Wait()
	a.mu.Lock()
	engine := a.engine
	a.mu.Unlock()
	if engine == nil {
		return nil
	}
	if engine.KeepTimers != nil {
		ctx, cancel := context.WithTimeout(context.Background(), keepTimeout)
		defer cancel()
		engine.KeepTimers(ctx)
	}
	return engine.Close()
}
