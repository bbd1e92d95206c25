import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

import { budget } from './budget.ts';
import { words } from './words.ts';

export default defineConfig({
  plugins: [svelte(), words(), budget()],
  build: {
    target: 'safari16', // WebKitGTK; a test in Chromium would not notice what it lacks
    modulePreload: false, // one chunk, and one for each language but English; the polyfill would only cost
    assetsInlineLimit: 0, // no data: URLs, so that the content security policy stays 'self'
    reportCompressedSize: true,
    license: { fileName: 'licenses.md' }, // of what is bundled: the package tells it on
  },
  server: { fs: { allow: ['.', '../app/i18n', '../build'] } },
  test: {
    environment: 'node',
    css: true, // the colours are under test
    include: ['src/**/*.test.ts'],
  },
});
