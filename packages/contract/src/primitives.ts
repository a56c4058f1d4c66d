import { type Static, Type } from 'typebox';

/** Identifiers and other unsigned integers of the interface are 32 bits wide. */
export const largestUint = 4_294_967_295;

export const Uint = Type.Integer({ minimum: 0, maximum: largestUint });

/** The identifier of an object: never 0, which means "none" where it is allowed. */
export const Id = Type.Integer({ minimum: 1, maximum: largestUint });

export const IdParams = Type.Object({ id: Id });
export type IdParams = Static<typeof IdParams>;

/** Marks a parameter whose 0 counts as absent, as its description says. */
export const zeroMeansAbsent = 'x-zero-means-absent';

/** An identifier to filter by: some clients send 0 for no filter. */
export const IdFilter = Type.Integer({
  ...Uint,
  description: '0 or absent: any.',
  [zeroMeansAbsent]: true,
});

/** Marks a member of a request that names a row of this kind; tests try each of them with invisible rows. */
export const referenceMark = 'x-reference';

/** The kinds of rows that members of requests name. */
export type ReferenceKind =
  | 'station'
  | 'data-server'
  | 'tag-group'
  | 'scenario'
  | 'call-group'
  | 'grouping'
  | 'user'
  | 'alarm'
  | 'media-file'
  | 'api-key'
  /** A team of the same body. */
  | 'team'
  /** An entry in the list of commands. */
  | 'command'
  /** The target of an action: a call group, a user or a scenario, depending on its type. */
  | 'action-target';

/** To be spread into a schema that names a row. */
export function refersTo(kind: ReferenceKind) {
  return { [referenceMark]: kind };
}

/** The identifier of a row that must exist. */
export const idOf = (kind: ReferenceKind) => Type.Integer({ ...Id, ...refersTo(kind) });

/** The identifier of a row, or 0 for none. */
export const optionalIdOf = (kind: ReferenceKind, description?: string) =>
  Type.Integer({ ...Uint, ...refersTo(kind), ...(description !== undefined && { description }) });

/** The identifier of a row to filter by. */
export const filterBy = (kind: ReferenceKind, description?: string) =>
  Type.Optional(
    Type.Integer({ ...IdFilter, ...refersTo(kind), ...(description !== undefined && { description }) }),
  );

/** The answer to a creation: a bare integer. */
export const CreatedId = Type.Integer({
  minimum: 1,
  maximum: largestUint,
  title: 'CreatedId',
  description: 'Identifier of the created object, as a bare integer.',
});

export const ShortText = Type.String({ maxLength: 256 });
export const Text = Type.String({ maxLength: 4_096 });
export const LongText = Type.String({ maxLength: 65_536 });

export const Name = Type.String({ minLength: 1, maxLength: 256 });

/** `2026-04-29T09:07:42+02:00`: whole seconds with the station's offset, never `Z`. */
export const OffsetDateTime = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$',
  description: 'ISO 8601 date-time in whole seconds with the UTC offset of the station.',
  examples: ['2026-04-29T09:07:42+02:00'],
});

/** `2026-04-29T06:46:04`: UTC without an offset, as clients expect `lastChange`. */
export const UtcDateTime = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
  description: 'ISO 8601 date-time in UTC, without offset.',
  examples: ['2026-04-29T06:46:04'],
});

/** A date-time a client sends: with an offset, or without, then in the station's time zone. */
export const SentDateTime = Type.String({
  minLength: 8,
  maxLength: 40,
  description: "ISO 8601 date-time; without an offset it is in the station's time zone.",
  examples: ['2026-04-29T09:07:42+02:00', '2026-04-29T09:07:42'],
});

export const Duration = Type.String({
  pattern: '^\\d{2,}:[0-5]\\d:[0-5]\\d$',
  description: '`hh:mm:ss`; the hours may pass 24.',
  examples: ['00:12:30', '137:05:09'],
});

/** Occasions on which an alarm takes actions. */
export const alarmOccasions = ['raised', 'reset', 'acknowledged'] as const;
