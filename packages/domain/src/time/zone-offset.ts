const offsetPattern = /([-+ ])(\d\d):?(\d\d)?:?(\d\d)?$/;

/** Parses the UTC offset at the end of a text, in seconds: `+02:00`, `-0330`, `+05`, `GMT-00:44:30` or `Z`. */
export function readOffset(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = offsetPattern.exec(text) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** `+02:00`; UTC is `+00:00`, never `Z`. */
export function writeOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const parts = [Math.floor(size / 60), size % 60];
  return (minutes < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}
