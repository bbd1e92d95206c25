// Package inode returns what a file system knows about a file beyond [io/fs.FileInfo]: its
// number, owner and time of creation, where the platform tells them.
package inode
