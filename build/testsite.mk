# Pages that were not written for Errand, which recipes are tried on.

SITE_FOLDER  := app/testdata/kitchensink
SITE_MODULES := $(SITE_FOLDER)/node_modules

tools cover: $(SITE_MODULES)/.package-lock.json

$(SITE_MODULES)/.package-lock.json: $(SITE_FOLDER)/package.json $(SITE_FOLDER)/package-lock.json
	cd $(SITE_FOLDER) && npm ci --ignore-scripts --no-fund --no-audit
	@touch $@
