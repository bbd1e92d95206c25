package desktop

// ContentSecurityPolicy allows the page to load only its own files. frontend/index.html repeats
// it for hosts without headers, except for the last directive, which works only in a header.
const ContentSecurityPolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
