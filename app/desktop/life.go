package desktop

import (
	"context"
	"sync"

	"errand/app/desktop/view"
	"errand/app/i18n"
)

// Life is the side of an API that the program holds, and no page can call.
type Life struct {
	api *API

	uploading sync.Mutex // one at a time
	upload    string     // the folder of the file that was handed over last; "" for none
}

// API is what the page can call.
func (l *Life) API() *API { return l.api }

// Boot is what the page will be told first.
func (l *Life) Boot() view.Boot { return l.api.first() }

// Language is the language of the page.
func (l *Life) Language() *i18n.Language { return l.api.language() }

// Format turns an error into what the page shows: a [view.Failure] in its language.
func (l *Life) Format(err error) any { return view.Say(l.Language(), view.FailureOf(err)) }

// Private is a folder for what should not be read by others.
func (l *Life) Private() string {
	l.api.mu.Lock()
	defer l.api.mu.Unlock()
	return l.api.conf.Paths.Cache
}

// MustAsk reports whether closing now would end a run that the user did not agree to end.
func (l *Life) MustAsk() bool {
	l.api.mu.Lock()
	defer l.api.mu.Unlock()
	return l.api.current.active() && !l.api.mayClose
}

// End ends the active run, and everything that the API has started, and closes the
// program. It returns when that is done or ctx is, with ctx's error.
func (l *Life) End(ctx context.Context) error {
	a := l.api
	l.uploading.Lock()
	l.dropUpload()
	l.uploading.Unlock()
	a.mu.Lock()
	a.end() // from here on no run begins
	a.mu.Unlock()
	closed := make(chan error, 1)
	go func() { // ends with the run and the engine's own deadlines
		if run := a.latest(); run != nil {
			<-run.done
		}
		a.owns.Wait()
		a.mu.Lock()
		engine := a.engine
		a.mu.Unlock()
		if engine == nil {
			closed <- nil
			return
		}
		closed <- engine.Close()
	}()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
