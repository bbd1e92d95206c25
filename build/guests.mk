# What the tests of the plugin host build their plugins with, beside Debian's
# compilers: AssemblyScript and its PDK.

GUEST_FOLDER  := host/wasm/testdata/guests
GUEST_MODULES := $(GUEST_FOLDER)/node_modules

tools cover: $(GUEST_MODULES)/.package-lock.json

$(GUEST_MODULES)/.package-lock.json: $(GUEST_FOLDER)/package.json $(GUEST_FOLDER)/package-lock.json
	cd $(GUEST_FOLDER) && npm ci --no-fund --no-audit
	@touch $@
