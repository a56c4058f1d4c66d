/** An instant as a field of a form shows it, `2026-11-15T03:12`, in a time zone; undefined for that of the browser. */
export function toLocal(ms: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  });
  return format.format(ms).replace(' ', 'T');
}

const offsetAt = (ms: number, timeZone: string | undefined) =>
  Date.parse(`${toLocal(ms, timeZone)}Z`) - Math.floor(ms / 60_000) * 60_000;

/** The instant of a field of a form; undefined if the field is not filled. Of a repeated hour it is the first one. */
export function fromLocal(text: string, timeZone: string | undefined): number | undefined {
  const asUtc = Date.parse(`${text.slice(0, 16)}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const early = asUtc - offsetAt(asUtc - 86_400_000, timeZone);
  return offsetAt(early, timeZone) === asUtc - early ? early : asUtc - offsetAt(early, timeZone);
}
