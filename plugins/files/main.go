//go:build wasip1

// The files plugin: makes and deletes folders and files inside the folders
// that the person granted. It sees those as /root/0, /root/1, …, and nothing
// else.
package main

import "errand/plugins/guest"

func main() {
	guest.Main(map[string]guest.Tool{
		"files.create_folder": guest.With(createFolder),
		"files.create_file":   guest.With(createFile),
		"files.delete_folder": guest.With(deleteFolder),
		"files.delete_file":   guest.With(deleteFile),
	})
}

type created struct {
	Path    string `json:"path"`
	Created bool   `json:"created"` // false where it was there already
}

type deleted struct {
	Path    string `json:"path"`
	Deleted bool   `json:"deleted"` // false where there was nothing to delete
}

func made(path string, now bool) guest.Answer {
	return guest.Answer{Payload: created{path, now}, Facts: []string{"exists:" + path}}
}

func gone(path string, now bool) guest.Answer {
	return guest.Answer{Payload: deleted{path, now}, Facts: []string{"!exists:" + path}}
}
