package config

import "syscall"

// hasACL reports whether a file has an access list. Then the bits of the group are the
// limit for the users and groups of the list.
func hasACL(path string) bool {
	n, err := syscall.Getxattr(path, "system.posix_acl_access", nil)
	return err == nil && n > 0
}
