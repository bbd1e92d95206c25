/**
 * Keeps data-theme and data-contrast of the root element as the configuration
 * says ("system", "light", "dark", "contrast") and, where it leaves that open,
 * as the system does.
 */
export function follow(choice: string): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const apply = () => {
    const isDark = choice === 'dark' || (choice !== 'light' && dark.matches);
    const root = document.documentElement.dataset;
    root['theme'] = isDark ? 'dark' : 'light';
    root['contrast'] = choice === 'contrast' || contrast.matches ? 'more' : 'usual';
  };
  dark.onchange = apply;
  contrast.onchange = apply;
  apply();
}
