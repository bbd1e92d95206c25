package transfer

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"errand/host/browser/address"
	"errand/planner/message"
)

// NameFromURL derives a file's name from its address: the last part of the path, else
// the host. It returns "" without an address.
func NameFromURL(rawURL string) string {
	last := address.LastElement(rawURL)
	if last == "" {
		u, err := url.Parse(rawURL)
		if err != nil || u.Hostname() == "" {
			return ""
		}
		last = u.Hostname()
	}
	return SafeName(last)
}

// NumberedName says under which name a file would currently be saved in a folder.
func NumberedName(folder, name string) message.Message {
	free := name
	for i := 2; i <= maxNumber; i++ {
		if _, err := os.Lstat(filepath.Join(folder, free)); err != nil {
			break
		}
		free = addNumber(name, i)
	}
	if free == name {
		return message.Verbatim(name)
	}
	return message.New("browser.free_name", "name", free, "taken", name)
}

// addNumber inserts a number before the extension.
func addNumber(name string, i int) string {
	stem, ext := SplitExt(name)
	return fmt.Sprintf("%s (%d)%s", stem, i, ext)
}
