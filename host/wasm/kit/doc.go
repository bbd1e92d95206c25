// Package kit supports plugin authors. [New] creates the folder of a working
// plugin, and [Build] builds one with the installed compilers or says what to
// install.
//
// It starts compilers and writes into the author's folder. It runs no plugin.
package kit
