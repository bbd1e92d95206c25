// How much the page may weigh, gzipped: all that a window loads, with the heaviest language. A build
// that is heavier fails.

import type { Plugin } from 'vite';

/** Bytes. */
export const BUDGET = 120_000;

/** The size of a file as a server would send it, in bytes. */
export async function gzipped(file: string | Uint8Array<ArrayBuffer>): Promise<number> {
  const packed = new Blob([file]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(packed).arrayBuffer()).byteLength;
}

/** Weighs what was built, but for what no page loads. */
export function budget(most = BUDGET): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = Object.values(bundle).filter((file) => !file.fileName.endsWith('.md'));
        const sizes = await Promise.all(files.map((file) => gzipped(file.type === 'chunk' ? file.code : (file.source as string | Uint8Array<ArrayBuffer>))));
        const isLanguage = files.map((file) => file.type === 'chunk' && (file.facadeModuleId?.endsWith('.toml') ?? false));
        const total = sizes.reduce((sum, size, i) => sum + (isLanguage[i] ? 0 : size), 0) + Math.max(0, ...sizes.filter((_, i) => isLanguage[i]));
        const said = `the page weighs ${total} bytes gzipped, of ${most} that it may`;
        if (total > most) this.error(`${said}: ${files.map((file, i) => `${file.fileName} ${sizes[i]}`).join(', ')}`);
        this.info(said);
      },
    },
  };
}
