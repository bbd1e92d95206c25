package files

import (
	"encoding/json"

	"errand/host/tool"
	"errand/host/tool/display"
)

// timeoutMS limits a call. Moving is fast; permanently deleting a huge folder is
// not.
const timeoutMS = 60_000

const (
	unchangedSchema = `"if_unchanged":{"type":"string","minLength":1,"maxLength":256,"description":"delete it only while it is this very one, as the result of an earlier call describes it"}`
	madeSchema      = `"made":{"type":"string","format":"path","minLength":1,"description":"a folder above the file that an earlier call made, which goes and comes back with it"},`
	endSchema       = `},"required":["path"],"additionalProperties":false}`

	deleteFolderSchema = `{"type":"object","properties":{"path":{"type":"string","format":"path","minLength":1,"description":"the folder's absolute path"},` +
		`"recursive":{"type":"boolean","description":"delete all that is in it as well"},` + madeSchema + unchangedSchema + endSchema
	deleteFileSchema = `{"type":"object","properties":{"path":{"type":"string","format":"path","minLength":1,"description":"the file's absolute path"},` +
		madeSchema + unchangedSchema + endSchema
	restoreSchema = `{"type":"object","properties":{"path":{"type":"string","format":"path","minLength":1,"description":"where it was, as an absolute path"},` +
		madeSchema + `"trashed":{"type":"string","minLength":1,"maxLength":255,"description":"its name in the trash"},` +
		`"recursive":{"type":"boolean","description":"restore all that is in the folder as well"},` +
		`"if_unchanged":{"type":"string","minLength":1,"maxLength":256,"description":"restore it only while it is this very one, as the deletion's result describes it"}` +
		`},"required":["trashed","path"],"additionalProperties":false}`
)

func deleteSpec(o Options, k kind) tool.Spec {
	s := tool.Spec{
		Name: DeleteFolderName, Description: "Delete a folder; one that is not empty only with recursive",
		ArgsSchema: json.RawMessage(deleteFolderSchema), Reach: map[string]tool.Reach{"path": tool.ReachContents},
		CanAchieve: []string{"file_operation", "delete_folder", "folder_deleted"}, Effects: []string{"folder_deleted"},
		Reversible: hasTrash,
	}
	if k == fileKind {
		s.Name, s.Description, s.ArgsSchema = DeleteFileName, "Delete a file", json.RawMessage(deleteFileSchema)
		s.CanAchieve, s.Effects = []string{"file_operation", "delete_file", "file_deleted"}, []string{"file_deleted"}
	}
	return o.builtin(s)
}

func restoreSpec(o Options) tool.Spec {
	return o.builtin(tool.Spec{
		Name: RestoreName, Description: "Put back what a deletion moved to the trash, where it was",
		ArgsSchema: json.RawMessage(restoreSchema), // some calls can be undone: see Forecast
		Recursive:  "recursive",
	})
}

func (o Options) builtin(s tool.Spec) tool.Spec {
	s.TimeoutMS, s.RetryProfile = timeoutMS, tool.RetryNone
	s.SideEffectClass, s.Effect, s.Source = tool.Write, tool.EffectFile, "builtin"
	s.Paths, s.Granted, s.Writes = o.Roots(), o.Granted, []string{"path", "made"}
	if s.Reach == nil {
		s.Reach = map[string]tool.Reach{}
	}
	s.Reach["made"] = tool.ReachItself
	s.Display = display.Tool{Summary: display.OneOf("path"), Internal: []string{"if_unchanged", "made", "trashed"}, View: display.View{Messages: []string{"irreversible"}}}.WithName(s.Name)
	return s.WithDefaults()
}
