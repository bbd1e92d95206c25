# The bundled plugins: plugins/NAME becomes plugins/dist/NAME, which the program
# embeds. What would not change is not touched.

.PHONY: plugins
plugins: ## Build the bundled plugins
	@$(GO) run ./build/plugin-pack -src plugins -out plugins/dist
