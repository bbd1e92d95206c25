// Package kit is for people who write plugins: it makes the folder of a new one
// that works ([New]), and builds one with the compilers that are on the machine
// ([Build]), or says exactly what to install.
//
// It starts compilers and writes into the author's folder; it runs no plugin.
package kit
