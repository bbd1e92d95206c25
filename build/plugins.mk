# The bundled plugins: plugins/NAME becomes plugins/dist/NAME, which the program
# embeds. What would not change is not touched. They are Rust, built by Debian's
# compiler and from the libraries that Debian carries.

RUST = rustc cargo libstd-rust-dev-wasm32 lld gcc libc6-dev \
       librust-serde-json-dev librust-libc-dev librust-sha2-dev librust-md-5-dev librust-regex-dev \
       librust-tar-dev librust-flate2-dev librust-crc32fast-dev librust-html5ever-dev librust-encoding-rs-dev

.PHONY: plugins
plugins: ## Build the bundled plugins
	@build/need.sh $(RUST)
	@$(GO) run ./build/plugin-pack -src plugins -out plugins/dist
