import { type Static, Type } from 'typebox';

/** Identifiers and other unsigned integers of the interface are 32 bits wide. */
export const largestUint = 4_294_967_295;

export const Uint = Type.Integer({ minimum: 0, maximum: largestUint });

/** An identifier that names something: never 0, which means "none" where it is allowed at all. */
export const Id = Type.Integer({ minimum: 1, maximum: largestUint });

export const IdParams = Type.Object({ id: Id });
export type IdParams = Static<typeof IdParams>;

/** The bare integer that a creation answers. */
export const CreatedId = Type.Integer({
  minimum: 1,
  maximum: largestUint,
  title: 'CreatedId',
  description: 'Identifier of what was created, as a bare integer.',
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

/** `2026-04-29T06:46:04`: UTC without saying so, as clients of the interface expect `lastChange`. */
export const UtcDateTime = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
  description: 'ISO 8601 date-time in UTC, without offset.',
  examples: ['2026-04-29T06:46:04'],
});

/** A date-time a client sends: with an offset, or without, then in the station's time zone. */
export const SentDateTime = Type.String({
  minLength: 10,
  maxLength: 40,
  description: "ISO 8601 date-time; without an offset it is in the station's time zone.",
  examples: ['2026-04-29T09:07:42+02:00', '2026-04-29T09:07:42'],
});

export const Duration = Type.String({
  pattern: '^\\d{2,}:[0-5]\\d:[0-5]\\d$',
  description: '`hh:mm:ss`; the hours may pass 24.',
  examples: ['00:12:30', '137:05:09'],
});
