import { underWay } from '../underway.ts';
import { ask, choose, expect, go, goal, open, serve, status, test } from '../window.ts';

const program = serve((home) => home.folder('Documents', 'Notes'));

test.beforeEach(async ({ page }) => open(page, program.url));

test('a harmless goal needs the keyboard alone, and one Enter', async ({ page }) => {
  await page.keyboard.type('open youtube and search nvidia');
  await expect(page.locator('#reading')).toContainText('nvidia'); // Enter never surprises
  await page.keyboard.press('Enter');
  await expect(status(page)).toContainText('Done');
  await expect(page.getByText('nvidia - YouTube (demo)').first()).toBeVisible();
  const picture = page.getByRole('img', { name: 'Screenshot of the page' }).first();
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBeGreaterThan(0);
  await expect(page.getByText(/\d+ allowed/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(goal(page)).toBeFocused();
});

test('words that are not understood are struck through in the question', async ({ page }) => {
  await ask(page, 'open frobnicate');
  await expect(page.getByText('One question first')).toBeVisible();
  await expect(page.locator('fieldset s')).toHaveText('frobnicate');
  await expect(page.locator('fieldset p')).toContainText('open frobnicate');
});

test('a question is answered with a button, and the plan that follows still waits for a yes', async ({ page }) => {
  await ask(page, 'delete Plans in documents');
  await expect(page.getByText('One question first')).toBeVisible(); // neither is there
  program.home.folder('Documents', 'Plans');
  await page.getByRole('group').getByRole('button', { name: 'folder' }).click();
  await expect(page.getByText('Needs approval', { exact: true })).toBeVisible();
  expect(program.home.has('Documents', 'Plans')).toBe(true);
  await page.keyboard.press('Escape');
  await expect(goal(page)).toHaveValue('delete Plans in documents');
  expect(program.home.has('Documents', 'Plans')).toBe(true);
});

test('a page that waits for a person says what it wants, where, and for how long', async ({ page }) => {
  await ask(page, 'open youtube and search nvidia');
  await expect(status(page)).toContainText('Done');
  await underWay(page, { status: 'running', waits: { kind: 'consent', url: 'https://consent.youtube.com/m', until: Date.now() + 200_000 } });
  await expect(page.getByText('Answer it in the browser’s window', { exact: false }).first()).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The page asks for your consent');
  await expect(page.getByText('https://consent.youtube.com/m')).toBeVisible();
  await expect(page.getByText(/It waits another 3:\d\d/)).toBeVisible();
  await expect(page).toHaveTitle(/A page waits for you/);
});

test('a stop in mid-run ends it, and says that no process is left', async ({ page }) => {
  await ask(page, 'search youtube for cats and search wikipedia for alan turing and search github for wazero');
  await expect(page.getByRole('button', { name: 'Stop' })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+.');
  await expect(status(page)).toContainText('Stopped');
  await expect(status(page)).toContainText('0 processes left');
});

test('what a page and a person say is shown as text, never as markup', async ({ page }) => {
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
  await ask(page, `search youtube for ${markup}`);
  await expect(status(page)).toContainText('Done');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(markup);
  await expect(page.getByText(`${markup} - YouTube (demo)`).first()).toBeVisible(); // the page's own title
  expect(await page.locator('main b, main img[src=x]').count()).toBe(0);
  await go(page, '/runs');
  await expect(page.getByText(markup).first()).toBeVisible();
  expect(await page.locator('main b, main img[src=x]').count()).toBe(0);
});

test('what was heard with doubt is confirmed, and what was heard never runs unasked', async ({ page }) => {
  const heard = (confidence: number) => JSON.stringify({ file_id: 'rec-1', transcript: 'create folder Voices in documents', confidence });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('transcript');
  await expect(page.getByRole('option', { selected: true })).toContainText('transcript');
  await choose(page, () => page.keyboard.press('Enter'), { name: 'rec-1.json', mimeType: 'application/json', buffer: Buffer.from(heard(0.6)) });
  await expect(page.getByText('Did you say “create folder Voices in documents”?')).toBeVisible();
  await expect(page.getByText('confidence of only 60 %')).toBeVisible();
  await page.getByRole('group').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('Heard, not typed')).toBeVisible();
  expect(program.home.has('Documents', 'Voices')).toBe(false);
  await page.keyboard.press('Escape');
  await expect(goal(page)).toBeFocused();

  await ask(page, heard(0.9)); // pasted
  await expect(page.getByText('Confidence: 90 %')).toBeVisible();
  expect(program.home.has('Documents', 'Voices')).toBe(false);
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(status(page)).toContainText('Done', { timeout: 2000 });
  }).toPass();
  expect(program.home.has('Documents', 'Voices')).toBe(true);
  await page.keyboard.press('Escape');
  await ask(page, '{"transcript": "open youtube"}');
  await expect(page.getByText('this is not a transcript: file_id is missing', { exact: true })).toBeVisible();
});

test('what nobody can do is said while it is typed, with the nearest goals', async ({ page }) => {
  await page.keyboard.type('book a flight to the moon');
  await expect(page.locator('#reading')).toContainText("I can't book or order");
  await page.keyboard.press('Enter');
  await expect(page.getByText('No plan').first()).toBeVisible();
});

test('what ends while nobody looks is in the title until somebody does', async ({ page }) => {
  const look = (looking: boolean) =>
    page.evaluate((on) => {
      document.hasFocus = () => on;
      window.dispatchEvent(new Event(on ? 'focus' : 'blur'));
    }, looking);
  await ask(page, 'what time is it');
  await expect(status(page)).toContainText('Done');
  await expect(page).toHaveTitle('what time is it · Done · Errand'); // it was looked at
  await page.keyboard.press('Escape');
  await look(false);
  await ask(page, 'open youtube and search nvidia');
  await go(page, '/policy');
  await expect(page).toHaveTitle('● Done: open youtube and search nvidia · Errand');
  await look(true);
  await expect(page).toHaveTitle('Policy · Errand');
});

test('the sheet of keys is read from its top, in a low window too', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 480 });
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await expect(sheet.getByRole('button', { name: 'Close' })).toBeFocused();
  expect(await sheet.evaluate((d) => [d.scrollTop, d.scrollHeight > d.clientHeight])).toEqual([0, true]);
  await expect(sheet.getByRole('heading', { name: 'Keys' })).toBeInViewport();
  await expect(sheet.getByRole('button', { name: 'Close' })).toBeInViewport();
});

test('the palette and the sheet of keys open, and close, by keys', async ({ page }) => {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette).toBeVisible();
  await page.keyboard.type('policy');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Policy' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(goal(page)).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Stop the run')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Close the window')).toHaveCount(0); // a tab is the browser's
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const kept = await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { ctrlKey: true, code: 'KeyQ', key: 'q', cancelable: true })));
  expect(kept, 'Ctrl+Q is left to the browser').toBe(true);
});
