//go:build wasip1

// The files plugin: makes folders and files inside the folders that the person
// granted. It sees those as /root/0, /root/1, …, and nothing else. What it made
// is deleted by the program's own tools, which reach the trash.
package main

import "errand/plugins/guest"

func main() {
	guest.Main(map[string]guest.Tool{
		"files.create_folder": guest.With(createFolder),
		"files.create_file":   guest.With(createFile),
		// They find out what came of a call whose end nobody saw.
		"files.created_folder": guest.With(createdFolder),
		"files.created_file":   guest.With(createdFile),
	})
}

type created struct {
	Path    string `json:"path"`
	Created bool   `json:"created"` // false where it was there already
}

// made answers a call; undo is nil where nothing was made.
func made(path string, undo *guest.Inverse) guest.Answer {
	return guest.Answer{Payload: created{path, undo != nil}, Facts: []string{"exists:" + path}, Undo: undo}
}
