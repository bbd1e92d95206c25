package app

import (
	"context"
	"errors"
	"html"
	"os"

	"errand/host/system"
)

// ShowPage opens a URL of this program in the user's default browser. It passes the URL in
// a file in dir that only the user can read: as an argument, the URL and its token would be
// in every user's list of processes. Call remove after the browser has read the file.
func ShowPage(ctx context.Context, dir, target string) (remove func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "open-*.html") // mode 0600
	if err != nil {
		return nil, err
	}
	remove = func() error { return os.Remove(f.Name()) }
	at := html.EscapeString(target)
	_, err = f.WriteString(`<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
		`<meta http-equiv="refresh" content="0; url=` + at + `"><a href="` + at + `">Errand</a>` + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, remove())
	}
	result, err := system.OpenFile(ctx, f.Name())
	if err == nil && !result.OK {
		err = result.Error
	}
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return remove, nil
}
