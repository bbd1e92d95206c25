package inspect

import (
	"strings"
	"sync"

	"errand/planner/message"
)

// UserModule is the name that plugins import an embedder's own functions from.
const UserModule = "extism:host/user"

// hostFunctions has the functions that a plugin may import, by module and name. A type
// has the parameters, a colon and the results, each a letter of typeNames. Tests of the
// host compare it with the linked functions.
var hostFunctions = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{
		WASIModule: {
			"args_get": "ii:i", "args_sizes_get": "ii:i", "environ_get": "ii:i", "environ_sizes_get": "ii:i",
			"clock_res_get": "ii:i", "clock_time_get": "iIi:i", "random_get": "ii:i", "sched_yield": ":i",
			"poll_oneoff": "iiii:i", "proc_exit": "i:", "proc_raise": "i:i",
			"fd_advise": "iIIi:i", "fd_allocate": "iII:i", "fd_close": "i:i", "fd_datasync": "i:i", "fd_sync": "i:i",
			"fd_fdstat_get": "ii:i", "fd_fdstat_set_flags": "ii:i", "fd_fdstat_set_rights": "iII:i",
			"fd_filestat_get": "ii:i", "fd_filestat_set_size": "iI:i", "fd_filestat_set_times": "iIIi:i",
			"fd_prestat_get": "ii:i", "fd_prestat_dir_name": "iii:i", "fd_readdir": "iiiIi:i", "fd_renumber": "ii:i",
			"fd_read": "iiii:i", "fd_pread": "iiiIi:i", "fd_write": "iiii:i", "fd_pwrite": "iiiIi:i",
			"fd_seek": "iIii:i", "fd_tell": "ii:i",
			"path_create_directory": "iii:i", "path_filestat_get": "iiiii:i", "path_filestat_set_times": "iiiiIIi:i",
			"path_link": "iiiiiii:i", "path_open": "iiiiiIIii:i", "path_readlink": "iiiiii:i", "path_remove_directory": "iii:i",
			"path_rename": "iiiiii:i", "path_symlink": "iiiii:i", "path_unlink_file": "iii:i",
			"sock_accept": "iii:i", "sock_recv": "iiiiii:i", "sock_send": "iiiii:i", "sock_shutdown": "ii:i",
		},
		ExtismModule: {
			"alloc": "I:I", "free": "I:", "length": "I:I", "length_unsafe": "I:I", "memory_bytes": ":I", "reset": ":",
			"load_u8": "I:i", "load_u64": "I:I", "store_u8": "Ii:", "store_u64": "II:",
			"input_offset": ":I", "input_length": ":I", "input_set": "II:", "input_load_u8": "I:i", "input_load_u64": "I:I",
			"output_offset": ":I", "output_length": ":I", "output_set": "II:", "error_get": ":I", "error_set": "I:",
			"config_get": "I:I", "var_get": "I:I", "var_set": "II:",
			"http_request": "II:I", "http_status_code": ":i", "http_headers": ":I",
			"log_trace": "I:", "log_debug": "I:", "log_info": "I:", "log_warn": "I:", "log_error": "I:", "get_log_level": ":i",
		},
		UserModule: { // imports of hyper-mcp plugins
			"create_elicitation": "I:I", "create_message": "I:I", "list_roots": ":I",
			"notify_logging_message": "I:", "notify_progress": "I:", "notify_resource_updated": "I:",
			"notify_tool_list_changed": ":", "notify_prompt_list_changed": ":", "notify_resource_list_changed": ":",
		},
		"dylibso_observe": {"instrument_enter": "i:", "instrument_exit": "i:", "instrument_memory_grow": "i:"},
	}
})

var typeNames = map[rune]string{'i': "i32", 'I': "i64"}

// HostType returns the type of the host's function in the format of [Import.Type]. It is
// "" if the host has no such function.
func HostType(module, name string) string {
	t, ok := hostFunctions()[module][name]
	if !ok {
		return ""
	}
	list := func(s string) string {
		var names []string
		for _, c := range s {
			names = append(names, typeNames[c])
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	params, results, _ := strings.Cut(t, ":")
	return list(params) + " -> " + list(results)
}

// String returns the import's kind, module and name, and the type of a function. Long
// names and types are cut.
func (i Import) String() string {
	const most = 100 // bytes
	clip := func(name string) string {
		if len(name) <= most {
			return name
		}
		return strings.ToValidUTF8(name[:most], "") + "…"
	}
	return strings.TrimSuffix(i.Kind+` "`+clip(i.Module)+`" "`+clip(i.Name)+`" `+clip(i.Type), " ")
}

// HostType returns the type that the import must have. It is "" if the host doesn't have
// the import; the host has only functions.
func (i Import) HostType() string {
	if i.Kind != "func" {
		return ""
	}
	return HostType(i.Module, i.Name)
}

// problem returns why the import can't be linked, or zero.
func (i Import) problem() message.Message {
	switch want := i.HostType(); want {
	case "":
		return message.New("module.import_not_offered")
	case i.Type:
		return message.Message{}
	default:
		return message.New("module.import_of_other_type", "type", want)
	}
}
