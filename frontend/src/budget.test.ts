import { build, type Plugin } from 'vite';
import { expect, it } from 'vitest';

import { BUDGET, budget } from '../budget';
import config from '../vite.config';

const page = '/page.js';
const languages = ['/xx.toml', '/yy.toml'];

/** A page of one file that runs, in the entry or loaded when it is asked for. */
const made = (entry: string, late = ''): Plugin => ({
  name: 'made',
  resolveId: (id) => (id === page || id === '/late.js' || languages.includes(id) ? id : null),
  load: (id) => (id === page ? entry : id === '/late.js' || languages.includes(id) ? { code: late, moduleType: 'js' } : null),
});

const built = (most: number, ...of: Parameters<typeof made>) =>
  build({ configFile: false, logLevel: 'silent', plugins: [made(...of), budget(most)], build: { write: false, modulePreload: false, rollupOptions: { input: page } } });

// What does not pack well.
const noise = Array.from({ length: 500 }, (_, i) => Math.sin(i).toString(36)).join('');

it('a page within its budget is built', async () => {
  await expect(built(1000, 'console.log(1)')).resolves.toBeTruthy();
});

it.each([
  ['of its entry', `console.log('${noise}')`, ''],
  ['of what it loads later', "import('/late.js').then(console.log)", `export default '${noise}'`],
])('one that is too heavy because %s is not', async (_, entry, late) => {
  await expect(built(1000, entry, late)).rejects.toThrow(/weighs \d{4} bytes gzipped, of 1000/);
});

it('only the heaviest language counts', async () => {
  const entry = "import('/xx.toml'); import('/yy.toml')";
  const one = `export default '${noise}'`;
  await expect(built(6000, entry, one)).resolves.toBeTruthy();
  await expect(built(1000, entry, one)).rejects.toThrow(/weighs \d{4} bytes gzipped, of 1000/);
});

it('the window’s own page is weighed, and within 120 kB', () => {
  expect(BUDGET).toBe(120_000);
  const plugins = (config as { plugins: (Plugin | Plugin[])[] }).plugins.flat();
  expect(plugins.map((p) => p.name)).toContain(budget().name);
});
