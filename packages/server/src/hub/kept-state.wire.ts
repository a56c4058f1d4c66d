import { HubFilter } from '@tocsin/contract';
import { Type } from 'typebox';
import { Check } from 'typebox/value';

/** A filter that held up to and including an entry of the journal; null while nothing was pushed. */
const Span = Type.Object({ filter: Type.Union([HubFilter, Type.Null()]), until: Type.Number() });
export type Span = { readonly filter: HubFilter | null; readonly until: number };

const KeptState = Type.Object({
  filter: HubFilter,
  since: Type.Number(),
  earlier: Type.Optional(Type.Array(Span)),
  rewound: Type.Optional(Type.Object({ from: Type.Number(), to: Type.Number() })),
});

/**
 * The state that a classic client sends back when it reconnects. It may not have received the last messages, so entries
 * from before a change of its filter are matched by the filter of that time.
 */
export type KeptState = {
  readonly filter: HubFilter;
  /** The position at which the filter was set. */
  readonly since: number;
  /** Earlier filters, oldest first. */
  readonly earlier?: readonly Span[];
  /** The client resumed from an earlier position: a cursor up to `from` may be older than that. */
  readonly rewound?: { readonly from: number; readonly to: number };
};

/** A classic client can carry 4 kB. */
const maxBytes = 4_000;
const maxSpans = 3;

export type StateChange = {
  readonly filter: HubFilter;
  /** The position after which entries are pushed next. */
  readonly from: number;
  /** The position of the client before the change. */
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
    earlier: spans.slice(-maxSpans),
    ...((rewound ?? kept.rewound) && { rewound: widest(kept.rewound, rewound) }),
  };
}

function widest(one: KeptState['rewound'], other: KeptState['rewound']): { from: number; to: number } {
  return {
    from: Math.max(one?.from ?? 0, other?.from ?? 0),
    to: Math.min(one?.to ?? Infinity, other?.to ?? Infinity),
  };
}

/** The last entry that a client with this cursor has surely received. */
export function positionIn(kept: KeptState | undefined, cursor: number): number {
  const { rewound } = kept ?? {};
  return rewound && cursor <= rewound.from ? Math.min(cursor, rewound.to) : cursor;
}

export function writeState(state: KeptState): string {
  const { filter, since, rewound } = state;
  const whole = JSON.stringify(state);
  return Buffer.byteLength(whole) <= maxBytes ? whole : JSON.stringify({ filter, since, rewound });
}

/** The text was sealed by this installation, but perhaps by another release. */
export function readState(text: string | undefined): KeptState | undefined {
  if (text === undefined) return undefined;
  const state: unknown = JSON.parse(text);
  return Check(KeptState, state) ? state : undefined;
}
