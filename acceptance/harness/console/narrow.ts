import type { Page } from 'playwright-core';

/** Elements that reach beyond the screen, except inside a strip that scrolls by itself. */
export function beyondTheScreen(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isScrolled = (element: Element) => element.closest('.viewtabs, .rail, .snav, .vh') !== null;
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, width: own, height } = element.getBoundingClientRect();
      return own > 1 && height > 1 && !element.closest('svg, option') && (right > width + 1 || left < -1);
    });
    const names = wide
      .filter((element) => !isScrolled(element))
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`);
    const scroll = document.scrollingElement?.scrollWidth ?? 0;
    return scroll > width ? [`the page is ${scroll} px wide`, ...names] : names;
  });
}

/** Buttons, links and fields that are lower or narrower than a finger needs. Links inside a sentence are exempt. */
export function smallTargets(page: Page, least = 44): Promise<readonly string[]> {
  return page.evaluate((pixels) => {
    const targets = document.querySelectorAll(
      'button, a[href], select, .input, [role="grid"] .c-sel, label.chk',
    );
    const isSentence = (element: Element) => element.matches('.lnk, p a, li a, .crumbs a, .filelinks *');
    const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    return [...targets]
      .filter((element) => isSeen(element) && !isSentence(element) && !element.closest('.vh, .head'))
      .map((element) => ({ element, box: (element.closest('.chip') ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < pixels - 0.5 || box.width < pixels - 0.5))
      .map(
        ({ element, box }) =>
          `${element.tagName} ${element.className} ${Math.round(box.width)}×${Math.round(box.height)} ${element.textContent?.slice(0, 30)}`,
      );
  }, least);
}

/** Parts of the top bar that lie over each other. */
export function overlapsInTopBar(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll('.top > *')].map((element) => ({
      name: element.className,
      box: element.getBoundingClientRect(),
    }));
    return parts.flatMap(({ name, box }, index) =>
      parts
        .slice(index + 1)
        .filter(
          ({ box: other }) =>
            box.left < other.right - 1 &&
            other.left < box.right - 1 &&
            box.top < other.bottom - 1 &&
            other.top < box.bottom - 1,
        )
        .map((other) => `${name} and ${other.name}`),
    );
  });
}
