/** A time in a calendar. */
export type CalendarEvent = {
  /** The same in each answer, so that programs recognise the event. */
  readonly uid: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly summary: string;
  readonly description: string;
};

const lineBytes = 75;
const encoder = new TextEncoder();

/** A calendar of RFC 5545. Times are in UTC, so no program has to know the rules of the plant's clocks. */
export function writeCalendar(name: string, events: readonly CalendarEvent[], writtenAt: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tocsin//Duty roster//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      `DTSTAMP:${utc(writtenAt)}`,
      `DTSTART:${utc(event.startsAt)}`,
      `DTEND:${utc(event.endsAt)}`,
      `SUMMARY:${escapeText(event.summary)}`,
      `DESCRIPTION:${escapeText(event.description)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** `20261116T050000Z`. */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** RFC 5545 §3.3.11. Other control characters are not allowed in a text. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** RFC 5545 §3.1: lines have at most 75 bytes, and no character is torn. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    // The space at the begin of a continued line counts.
    if (bytes + size > lineBytes - (parts.length > 0 ? 1 : 0)) {
      parts.push(part);
      [part, bytes] = ['', 0];
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join('\r\n ');
}
