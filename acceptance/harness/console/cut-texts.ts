import type { Page } from 'playwright-core';

/**
 * Parts that may end in an ellipsis on a narrow screen, because they hold words of the plant that are told whole elsewhere,
 * and the place where they are.
 */
const shortened: Readonly<Record<string, string>> = {};

/** Strips that scroll sideways by themselves, because their parts belong side by side. */
const strips: Readonly<Record<string, string>> = {
  '.viewtabs': 'the views of the list',
  '.rail': 'the pages of the console',
  '.snav': 'the pages of the settings',
  '.doc pre, .doc .doctable': 'code and tables of a document',
  '.kpipage .k-rate .in': 'the bars of a day',
};

/** Texts that are cut off or stick out of their place, and parts that scroll sideways. */
export function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ intended, scrolled }) => {
      const isIn = (element: Element, selector: string) =>
        selector !== '' && element.closest(selector) !== null;
      const hasText = (element: Element) => element.textContent?.trim() !== '';
      const hasOwnText = (element: Element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      const isSeen = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true }) && !element.closest('.vh, svg, select, option');
      const faultOf = (element: Element): string | undefined => {
        const { scrollWidth, clientWidth } = element;
        // An inline element has no width of its own.
        if (clientWidth === 0 || scrollWidth <= clientWidth + 1) return undefined;
        const { overflowX } = getComputedStyle(element);
        if (overflowX === 'auto' || overflowX === 'scroll')
          return isIn(element, scrolled) ? undefined : 'scrolls sideways';
        if (isIn(element, scrolled) || isIn(element, intended) || isIn(element, '[title]')) return undefined;
        if (overflowX === 'visible') return hasOwnText(element) ? 'sticks out' : undefined;
        return hasText(element) ? 'is cut off' : undefined;
      };
      const faults = [...document.querySelectorAll('body *')].filter(isSeen).flatMap((element) => {
        const fault = faultOf(element);
        const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
        return fault ? [`${name} ${fault}: ${element.textContent?.trim().slice(0, 60)}`] : [];
      });
      const wide = (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth;
      return wide > 0 ? [`the document is ${wide} px too wide`, ...faults] : faults;
    },
    { intended: Object.keys(shortened).join(), scrolled: Object.keys(strips).join() },
  );
}
