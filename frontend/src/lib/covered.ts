import type { Step } from './api';

/**
 * Returns the steps that an approval covers: all but those that need a confirmation of their own
 * and don't have it, and those that depend on them.
 */
export function covered(steps: readonly Step[], confirmed: readonly string[]): Step[] {
  let out = steps.filter((s) => !s.needs_confirmation || confirmed.includes(s.action_id));
  const known = new Set(steps.map((s) => s.action_id));
  for (;;) {
    const ids = new Set(out.map((s) => s.action_id));
    const next = out.filter((s) => s.depends_on.every((id) => ids.has(id) || !known.has(id)));
    if (next.length === out.length) return out;
    out = next;
  }
}
