// Package initiator finds out which documents make the requests for private addresses. Policy
// permits such a request only to the user and to pages of the same address. For all other hosts
// the document does not matter.
package initiator
