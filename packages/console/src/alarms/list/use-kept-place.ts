import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const added = (margin: string, pixels: number) => `${Number.parseFloat(margin || '0') + pixels}px`;

/** Scrolls by so many pixels, and makes room where the list ends before. */
function shift(scroller: HTMLElement, rows: HTMLElement, pixels: number): void {
  const { style } = rows;
  const wanted = scroller.scrollTop + pixels;
  const hidden = rows.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
  const most = scroller.scrollTop + hidden + Number.parseFloat(style.marginBottom || '0');
  if (wanted < 0) style.marginTop = added(style.marginTop, -wanted);
  if (wanted > most) style.marginBottom = added(style.marginBottom, wanted - most);
  scroller.scrollTop = Math.max(0, wanted);
}

/**
 * Keeps the rows where they are on the screen while somebody reads. The band above the list grows with each alarm of
 * priority 1, and a bar may come or go: the list then scrolls by as much as it was moved, before anything is drawn.
 */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, isReading: boolean): void {
  const settle = useRef(() => {});
  useEffect(() => {
    const element = scroller.current;
    const rows = element?.querySelector<HTMLElement>('.rows');
    if (!isReading || !element || !rows) return;
    const begun = element.getBoundingClientRect().top;
    let top = begun;
    settle.current = () => {
      const by = element.getBoundingClientRect().top - top;
      top += by;
      if (by !== 0) shift(element, rows, by);
    };
    // For what moves the list without drawing it again, such as words that wrap.
    const observer = new ResizeObserver(() => settle.current());
    observer.observe(element);
    return () => {
      observer.disconnect();
      settle.current = () => {};
      rows.style.marginTop = '';
      rows.style.marginBottom = '';
      element.scrollTop -= top - begun;
    };
  }, [scroller, isReading]);
  useLayoutEffect(() => settle.current());
}
