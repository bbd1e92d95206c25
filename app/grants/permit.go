package grants

import (
	"context"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// Access is a host or a folder that the user may allow for a run.
type Access struct {
	Host   string // a pattern
	Folder string // an absolute, clean path
	Real   string // Folder without links
}

// Permit grants a host or a folder to one run, or with always to every run until it is revoked,
// and returns the grant's id. Like [Keeper.Grant] it is for the user's own answer alone. real is
// the folder without links, as the user was asked about it.
func (k *Keeper) Permit(ctx context.Context, runID string, access Access, always bool) (id string, err error) {
	r := Request{Pattern: access.Host, Folder: access.Folder, Real: access.Real, Scope: policy.ForRun, Run: runID}
	if always {
		r.Scope, r.Run = policy.Always, ""
	}
	g, err := k.Grant(ctx, r)
	return g.ID, err
}

// checkFolder refuses a folder that the user must not be asked about, and one that has changed
// since the user was asked.
func (k *Keeper) checkFolder(folder, asked string) error {
	if err := k.Config.CheckAsk(folder); err != nil {
		return tool.NewError(tool.PolicyDenied, "grant_opens_nothing", message.FromError(err))
	}
	if real, _ := realpath.Resolve(folder); real != asked {
		return tool.NewError(tool.PolicyDenied, "folder_changed", message.New("grants.folder_changed", "folder", folder, "asked", asked, "real", real))
	}
	return nil
}

// Folders returns the grants of folders that count now for any of some runs, without those of
// folders that are now elsewhere, missing or private.
func (k *Keeper) Folders(runs ...string) []policy.Grant {
	return slices.DeleteFunc(k.folders(), func(g policy.Grant) bool {
		return g.Scope != policy.Always && !slices.Contains(runs, g.Run) || k.checkFolder(g.Folder, g.Real) != nil
	})
}

// FoldersForAll returns the folders that every run may use.
func (k *Keeper) FoldersForAll() (folders []string) {
	for _, g := range k.Folders() {
		folders = append(folders, g.Folder)
	}
	return folders
}

// AllFolders returns the folders that tools of any run may use now.
func (k *Keeper) AllFolders() (all []string) {
	for _, g := range k.folders() {
		all = append(all, g.Folder, g.Real)
	}
	return all
}

// folders returns the grants of folders that were neither revoked nor have ended.
func (k *Keeper) folders() []policy.Grant {
	return slices.DeleteFunc(k.Current(), func(g policy.Grant) bool {
		return g.Folder == "" || !g.Until.IsZero() && !k.Now().Before(g.Until)
	})
}
