import { useEffect } from 'react';

const home = ['main .listgrid', 'main[tabindex]', 'main a[href]', 'main button:not([disabled])'];

const isGone = (element: Element) => !element.isConnected || element.matches(':disabled');

/**
 * Whoever works with the keyboard must not fall out of the page when the element in focus goes away, as a button does after
 * its action: the focus goes to the list of the page instead. A focus that was given up on purpose stays given up.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    const onFocusIn = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    const onFocusOut = ({ target }: FocusEvent) =>
      setTimeout(() => {
        if (target === last && last && !isGone(last) && document.activeElement === document.body)
          last = undefined;
      });
    const observer = new MutationObserver(() => {
      if (!last || !isGone(last) || (document.activeElement ?? document.body) !== document.body) return;
      last = undefined;
      for (const selector of home) {
        const place = document.querySelector<HTMLElement>(selector);
        if (place) return place.focus();
      }
    });
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
      observer.disconnect();
    };
  }, []);
}
