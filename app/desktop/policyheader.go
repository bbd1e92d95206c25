package desktop

// ContentSecurityPolicy is what the page may load, wherever it is shown: its own
// files, and nothing from anywhere else. frontend/index.html says the same for
// where no header can, but for the last one, which only a header may say.
const ContentSecurityPolicy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
