export type CalendarToken = { tenantId: number; id: number; secret: string };

const form = /^tcc_([1-9][0-9]{0,9})_([1-9][0-9]{0,9})_([A-Za-z0-9_-]{43})$/;

/** `tcc_<tenant>_<id>_<secret>`: the secret part of the address of a calendar. */
export const writeCalendarToken = ({ tenantId, id, secret }: CalendarToken): string =>
  `tcc_${tenantId}_${id}_${secret}`;

/** Undefined if the text is not such a token. */
export function readCalendarToken(text: string): CalendarToken | undefined {
  const [, tenantId, id, secret] = form.exec(text) ?? [];
  return secret === undefined ? undefined : { tenantId: Number(tenantId), id: Number(id), secret };
}
