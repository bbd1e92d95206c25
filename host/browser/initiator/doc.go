// Package initiator knows which documents make the requests for private addresses. Policy
// opens these addresses to the user and to their own pages only; for all other hosts it does
// not matter who asks.
package initiator
