import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';

type Props = {
  readonly title: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  /** Further classes of the style: `wide`, `tall`. */
  readonly kind?: string;
};

const focusable = 'button:not([disabled]), input, textarea, select, a[href]';

/** Dims the page only: the top bar and the band of priority 1 stay usable, so an alarm can be taken meanwhile. */
export function Dialog({ title, children, onClose, onSubmit, kind = '' }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const first = form.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? form.current?.querySelector<HTMLElement>('input, textarea, button'))?.focus();
    return () => (before instanceof HTMLElement ? before.focus() : undefined);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Tab') return;
    const all = [...(form.current?.querySelectorAll<HTMLElement>(focusable) ?? [])];
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  return createPortal(
    <div className="scrim" role="dialog" aria-labelledby={id}>
      <form
        ref={form}
        className={`dialog big ${kind}`.trim()}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
      </form>
    </div>,
    document.querySelector('.app') ?? document.body,
  );
}
