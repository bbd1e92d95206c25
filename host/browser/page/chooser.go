package page

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// chooserTimeout is how long the page may take to open a file chooser after the click.
const chooserTimeout = 5 * time.Second

// AskForFiles calls begin and waits for the page to open a file chooser. It returns nil if
// the page opens none.
func (t *Tab) AskForFiles(ctx context.Context, begin func(context.Context) error) (*proto.PageFileChooserOpened, error) {
	t.update(func(s *state) { s.chooser = nil })
	if err := begin(ctx); err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, chooserTimeout)
	defer cancel()
	t.waitFor(within, func(s *state) bool { return s.chooser != nil || s.closed || s.crashed })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return t.snapshot().chooser, nil
}
