import { serve, test, expect } from '../window.ts';
import { picture } from './picture.ts';
import { still } from './fixed.ts';

const program = serve((home) => home.file('.config/errand/errand.toml', '[ui]\ntheme = "pink"\n\n[browser]\nbim = "x"\n'));

test('safe mode', async ({ page }) => {
  await still(page, program.home);
  await page.goto(program.url);
  await expect(page.getByRole('heading', { name: 'Safe mode' })).toBeVisible();
  await picture(page, 'safemode');
});
