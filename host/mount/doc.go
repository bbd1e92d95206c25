// Package mount tells on which mount a file is, and which other paths lead to the same file
// because a folder is mounted at several paths.
//
// Two mounts may show the same file system: a bind mount has the device number of its
// source. So the number of the device alone doesn't tell whether two files are in one
// folder tree.
package mount
