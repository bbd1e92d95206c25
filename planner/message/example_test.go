package message_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"errand/planner/message"
)

func ExampleNew() {
	m := message.New("files.too_large", "path", "~/film.mkv", "size", 1<<31)
	b, _ := json.Marshal(m)
	fmt.Println(string(b))
	// Output: {"msg":"files.too_large","params":{"path":"~/film.mkv","size":2147483648}}
}

func ExampleError() {
	err := message.Error("files.read", "path", "a.txt", "cause", fs.ErrNotExist)
	fmt.Println(err)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// files.read(cause=file does not exist, path=a.txt)
	// true
}

func ExampleFromError() {
	err := fmt.Errorf("tab 2: %w", message.Error("browser.page_gone", "url", "https://example.org"))
	m := message.FromError(err)
	fmt.Println(m.Code, m.Params["message"])
	// Output: message.within browser.page_gone(url=https://example.org)
}
