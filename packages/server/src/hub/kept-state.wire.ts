import { HubFilter } from '@tocsin/contract';
import { Type } from 'typebox';
import { Check } from 'typebox/value';

/** A filter that held up to and including an entry of the journal; null where nothing was pushed. */
const Span = Type.Object({ filter: Type.Union([HubFilter, Type.Null()]), until: Type.Number() });
export type Span = { readonly filter: HubFilter | null; readonly until: number };

const KeptState = Type.Object({
  filter: HubFilter,
  since: Type.Number(),
  earlier: Type.Optional(Type.Array(Span)),
  rewound: Type.Optional(Type.Object({ from: Type.Number(), to: Type.Number() })),
});

/**
 * What a classic client brings back when it reconnects. The last answers may never have reached it, so what it was
 * pushed before its filter changed is judged by the filters of that time.
 */
export type KeptState = {
  readonly filter: HubFilter;
  /** Where the filter began to hold. */
  readonly since: number;
  /** Filters before it, oldest first. */
  readonly earlier?: readonly Span[];
  /** It asked for what came after an earlier place: a cursor up to `from` may be from before that. */
  readonly rewound?: { readonly from: number; readonly to: number };
};

/** What may be kept, in bytes; a client carries 4 kB. */
const mostBytes = 4_000;
const mostSpans = 3;

export type StateChange = {
  readonly filter: HubFilter;
  /** What is pushed next comes after this. */
  readonly from: number;
  /** Where the client was. */
  readonly position: number;
  readonly wasMuted: boolean;
};

export function nextState(kept: KeptState, { filter, from, position, wasMuted }: StateChange): KeptState {
  const until = Math.min(position, from);
  const ended: Span = { filter: kept.filter, until };
  const silent: Span[] = wasMuted && from > until ? [{ filter: null, until: from }] : [];
  const spans = [...(kept.earlier ?? []).filter((span) => span.until < until), ended, ...silent];
  const isBack = from < position;
  const rewound = isBack ? { from: position, to: from } : undefined;
  return {
    filter,
    since: from,
    earlier: spans.slice(-mostSpans),
    ...((rewound ?? kept.rewound) && { rewound: widest(kept.rewound, rewound) }),
  };
}

function widest(one: KeptState['rewound'], other: KeptState['rewound']): { from: number; to: number } {
  return {
    from: Math.max(one?.from ?? 0, other?.from ?? 0),
    to: Math.min(one?.to ?? Infinity, other?.to ?? Infinity),
  };
}

/** Where a client that says it is at `cursor` may have got to. */
export function placeIn(kept: KeptState | undefined, cursor: number): number {
  const { rewound } = kept ?? {};
  return rewound && cursor <= rewound.from ? Math.min(cursor, rewound.to) : cursor;
}

export function writeState(state: KeptState): string {
  const { filter, since, rewound } = state;
  const whole = JSON.stringify(state);
  return Buffer.byteLength(whole) <= mostBytes ? whole : JSON.stringify({ filter, since, rewound });
}

/** It was sealed by this installation, if perhaps by another release. */
export function readState(text: string | undefined): KeptState | undefined {
  if (text === undefined) return undefined;
  const state: unknown = JSON.parse(text);
  return Check(KeptState, state) ? state : undefined;
}
