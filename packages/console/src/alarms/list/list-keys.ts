import type { DialogKind } from '../dialogs/dialog-props.ts';

/** What the keys of a list do. A list without a search or a flood view leaves them out. */
export type ListActs = Readonly<
  Record<'acknowledge' | 'silence' | 'release' | 'unmask' | 'escape', () => void>
> & {
  readonly ask: (kind: DialogKind) => void;
  readonly freeze?: (() => void) | undefined;
  readonly find?: (() => void) | undefined;
  readonly flood?: (() => void) | undefined;
};

/** The action of a key, as `keyOf` names it. Shift and K calls, because K alone moves up. */
export function actOf(key: string | undefined, acts: ListActs): (() => void) | undefined {
  const { ask } = acts;
  const byKey: Record<string, (() => void) | undefined> = {
    a: acts.acknowledge,
    'Shift+a': () => ask('acknowledge'),
    m: acts.silence,
    n: acts.release,
    s: () => ask('mask'),
    u: acts.unmask,
    r: () => ask('reset'),
    c: () => ask('comment'),
    'Shift+k': () => ask('call'),
    z: acts.freeze,
    f: acts.flood,
    '/': acts.find,
    Escape: acts.escape,
  };
  return key === undefined ? undefined : byKey[key];
}

/** Keys that move the focus, by how many rows. */
export const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 15,
  PageUp: -15,
};
