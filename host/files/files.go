// Package files is the built-in half of the tools for files: deleting, which
// goes to the trash of the platform, and taking back out of it.
//
// Making files is a sandboxed plugin's, which may touch the granted folders and
// nothing else. The trash lies outside of them, and who can reach it can read
// all that was ever deleted; so what goes there and comes back is done here.
//
// A path is resolved once: the granted folder is opened, the folder that holds
// the thing is opened inside it by [os.Root], and from then on there are
// handles and one name. A thing that is moved is looked at again where nobody
// finds it by its old path, and put back if it is not what was checked. The
// last name of a path is never followed: deleting a link deletes the link.
package files

import (
	"time"

	"errand/host/tool"
)

// Names of the tools.
const (
	DeleteFolderName = "files.delete_folder"
	DeleteFileName   = "files.delete_file"
	RestoreName      = "files.restore"
)

// Options are what the tools need from outside. The zero Options grant no
// folder: every call is refused.
type Options struct {
	// Roots are the folders that were granted, as absolute paths. It is asked at
	// every call, by several goroutines.
	Roots func() []string
	// TrashDir is the trash of the person's home, "" for the platform's own. It
	// is laid out as the platform has it.
	TrashDir string
	// Made gives what a step of the run made; nil means that nothing is kept.
	Made Made
	// Now is the clock for dates of deletion; nil means [time.Now].
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Roots == nil {
		o.Roots = func() []string { return nil }
	}
	if o.TrashDir == "" {
		o.TrashDir = homeTrash()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Tools are files.delete_folder, files.delete_file, files.restore and files.keep.
// Each is a [tool.Reconciler], all but the last a [tool.Forecaster]. They are good for several goroutines.
func Tools(o Options) []tool.Tool {
	o = o.withDefaults()
	return []tool.Tool{
		&deleter{o, folderKind, deleteSpec(o, folderKind)},
		&deleter{o, fileKind, deleteSpec(o, fileKind)},
		&restorer{o, restoreSpec(o)},
		&keeper{o, keepSpec(o)},
	}
}
