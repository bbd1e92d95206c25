// `make dev`: the page from its sources, changed in the browser as they are
// saved, with the real program behind it. Options are those of errand serve.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';

const program = spawn(new URL('../bin/errand', import.meta.url).pathname, ['serve', ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
program.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => program.kill('SIGTERM')); // it ends its run, then we end

for await (const line of createInterface(program.stdout)) {
  const address = new URL(line); // it prints the address and nothing else
  const behind = { target: address.origin, changeOrigin: false };
  const vite = await createServer({
    root: new URL('.', import.meta.url).pathname,
    server: {
      host: '127.0.0.1',
      // Host and Origin stay the browser's own, which agree; the program asks no more.
      proxy: { '/api': behind, '/artifacts': behind },
    },
    plugins: [
      {
        // Vite puts styles into the page, which the policy of the built page forbids.
        name: 'no content security policy',
        transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
      },
    ],
  });
  await vite.listen();
  console.log(vite.resolvedUrls?.local[0] + address.hash);
}
