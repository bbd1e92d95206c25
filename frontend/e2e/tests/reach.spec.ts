import { sound } from '../sound.ts';
import { expect, go, goal, open, serve, test } from '../window.ts';

const program = serve();

for (const [what, address] of [
  ['no token', () => new URL('/', program.url).href],
  ['a token of another server', () => `${new URL('/', program.url).href}#token=${'x'.repeat(43)}`],
  ['no token, and a room in its address', () => `${new URL('/', program.url).href}#/policy`],
] as const) {
  test.describe(what, () => {
    test.use({ refusals: /status of 401/ });

    test('a page is closed: it says what opens it, and offers nothing else', async ({ page }) => {
      await page.goto(address());
      await expect(page.getByText('Open the address that “errand serve” printed.')).toBeVisible();
      await expect(page).toHaveTitle('This page is closed. · Errand');
      await expect(page.getByRole('navigation')).toHaveCount(0);
      await expect(page.locator('a, button, input, textarea')).toHaveCount(0);
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await sound(page, `closed page: ${what}`);
    });
  });
}

test.describe('out of reach', () => {
  test.use({ refusals: /net::ERR_/ });

  test('what was asked for meanwhile is told in the window’s words, never in the browser’s', async ({ page }) => {
    await open(page, program.url);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.keyboard.type('what time is it');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Errand doesn’t respond. The page keeps trying.')).toBeVisible();
    await expect(page.getByText('Errand may not have received your request. Try again when it responds.', { exact: true })).toBeVisible();
    await go(page, '/runs');
    await expect(page.getByText('Errand may not have received your request. Try again when it responds.', { exact: true })).toBeVisible();
    await expect(page.getByText(/fetch/)).toHaveCount(0);
    await sound(page, 'out of reach');
    await page.unrouteAll();
    await go(page, '/goal');
    await page.keyboard.press('Enter');
    await expect(goal(page)).toBeHidden();
  });
});

test.describe('a page that is there while the program is away', () => {
  test.use({ refusals: /net::ERR_|status of 401/ });

  test('says so, keeps its token, and begins when the program answers', async ({ page }) => {
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.goto(program.url);
    await expect(page.getByText('Errand doesn’t respond. The page keeps trying.')).toBeVisible();
    await expect(page).toHaveURL(/#token=/); // to load it again loses nothing
    await sound(page, 'away from the beginning');
    await page.unrouteAll();
    await expect(page.getByText('Errand doesn’t answer.')).toHaveCount(0);
    await expect(page).not.toHaveURL(/token/);
    await expect(page.getByText(/Nothing is known/)).toHaveCount(0);
    await page.keyboard.type('what time is it');
    await page.keyboard.press('Enter');
    await expect(goal(page)).toBeHidden();
  });

  test('asks anew for the room that it shows', async ({ page }) => {
    await open(page, program.url);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await go(page, '/policy');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.unrouteAll();
    await expect(page.getByRole('heading', { name: 'Rules' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });

  for (const spoilt of ['{', '7', '{"call":1}']) {
    test(`is closed where its keys are ${spoilt}, and is opened by the address that was printed`, async ({ page }) => {
      await open(page, program.url);
      await page.evaluate((kept) => sessionStorage.setItem('errand.keys', kept), spoilt);
      await page.reload();
      await expect(page.getByText('Open the address that “errand serve” printed.')).toBeVisible();
      await page.goto('about:blank');
      await open(page, program.url);
    });
  }
});
