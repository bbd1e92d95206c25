// What every test begins with: one program for a file of tests, and a page on it
// that may not complain, and may not talk to anybody else.

import { expect, test as base, type FileChooser, type Locator, type Page } from '@playwright/test';

import { Home, Program } from './program.ts';

export { expect };

/** The program of a file of tests. `prepare` furnishes the home before it starts. */
export function serve(prepare?: (home: Home) => void): { readonly home: Home; readonly url: string } {
  const home = new Home();
  let program: Program | undefined;
  base.beforeAll(async () => {
    prepare?.(home);
    program = await Program.start(home);
  });
  base.afterAll(async () => {
    await program?.end();
    home.remove();
  });
  return {
    home,
    get url() {
      if (!program) throw new Error('the program has not started');
      return program.url;
    },
  };
}

/** What a page has said that it must not say. */
class Complaints {
  readonly all: string[] = [];

  constructor(page: Page, refusals: RegExp) {
    page.on('pageerror', (error) => this.all.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // A refusal of the program is an answer with a status of its own; the
      // browser logs each. A breach of the content security policy comes here too.
      const refused = refusals.test(message.text());
      if ((message.type() === 'error' && !refused) || message.type() === 'warning') this.all.push(`${message.type()}: ${message.text()}`);
    });
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol !== 'blob:' && hostname !== '127.0.0.1') this.all.push(`request: ${request.url()}`);
    });
  }
}

/** A page whose errors, warnings and requests off loopback fail the test. */
export const test = base.extend<{ complaints: void; refusals: RegExp }>({
  /** Errors of the console that are answers of the program. */
  refusals: [/the server responded with a status of 4(00|03|04|09)/, { option: true }],
  complaints: [
    async ({ page, refusals }, use) => {
      const complaints = new Complaints(page, refusals);
      await use();
      expect(complaints.all, 'what the page complained of').toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens the window at the goal; ends when the goal field can be typed into. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(goal(page)).toBeFocused();
}

export const goal = (page: Page): Locator => page.locator('#goal');

/** Opens a room by its fragment, such as "/runs". */
export async function go(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => (location.hash = `#${to}`), place);
}

/** Types a goal and asks for its plan, as a person at the keyboard does. */
export async function ask(page: Page, text: string): Promise<void> {
  await expect(goal(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Opens the dialog for files by a deed, and chooses one in it. */
export async function choose(page: Page, deed: () => Promise<void>, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.evaluate(() => 0); // by its answer the browser knows that the dialog is ours
  await deed();
  await (await chooser).setFiles(file);
}

/** Where the run stands, in words. */
export const status = (page: Page): Locator => page.locator('p.status');
