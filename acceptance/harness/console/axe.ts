import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The names of rules; all of them if there are none. */
type Rules = readonly string[];

/**
 * The violations of the rules of accessibility, in the page itself: the builder of axe for Playwright opens an empty tab for
 * each analysis, which is another process of the browser. The console has no frames, for which that tab is meant.
 */
export async function violationsOn(page: Page, rules: Rules = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    // A colour in transition is neither the one before nor the one after.
    const endless = (change: Animation) =>
      change.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
    for (const change of document.getAnimations()) if (!endless(change)) change.finish();
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await here.run(document, {
      resultTypes: ['violations'],
      ...(values.length > 0 && { runOnly: { type: 'rule', values: [...values] } }),
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  }, rules);
}
