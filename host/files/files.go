// Package files has the built-in file tools: they delete files to the platform's
// trash, restore them, keep what a run made, and move and copy files.
//
// A sandboxed plugin creates and reads files; it can access only the granted folders.
// The trash is outside them, and access to it exposes everything that was ever
// deleted. Therefore this package handles the trash. A plugin also can't rename between
// two granted folders, or without replacing a file that has just appeared.
//
// A path is resolved once: the granted folder is opened, then the file's parent
// inside it with [os.Root]. After that only handles and one name are used. A moved
// file is checked again in the trash, where other programs no longer find it, and
// moved back if it is a different file. The last element of a path is never
// followed: deleting a link deletes the link.
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

// Options configure the tools. The zero Options grant no folder, so every call is
// refused.
type Options struct {
	// Roots returns the granted folders as absolute paths. Each call uses it; it
	// must be safe for concurrent use.
	Roots func() []string
	// Granted are those of Roots that the user allowed for a run or until revoked.
	Granted []string
	// TrashDir is the trash in the user's home, in the platform's format. Without it, files
	// can go only to the trash of their own file system.
	TrashDir string
	// Artifact returns what a step of the run made. Nil disables files.keep.
	Artifact ArtifactOf
	// Now is the clock for deletion dates. Nil means [time.Now].
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Roots == nil {
		o.Roots = func() []string { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Tools returns files.delete_folder, files.delete_file, files.restore, files.move,
// files.copy, files.empty_trash and files.keep. Each is a [tool.Reconciler], and all but the last are a
// [tool.Forecaster]. They are safe for concurrent use.
func Tools(o Options) []tool.Tool {
	o = o.withDefaults()
	return []tool.Tool{
		&deleter{o, folderKind, deleteSpec(o, folderKind)},
		&deleter{o, fileKind, deleteSpec(o, fileKind)},
		&restorer{o, restoreSpec(o)},
		&mover{o, moveSpec(o)},
		&copier{o, copySpec(o)},
		&emptier{o, emptyTrashSpec(o)},
		&keeper{o, keepSpec(o)},
	}
}
