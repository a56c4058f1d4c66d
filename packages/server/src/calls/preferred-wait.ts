const maxWaitSeconds = 120;

/** A longer text would keep the pattern below busy for seconds. */
const maxPreferenceLength = 256;

// RFC 7240: a token, with a token or a quoted text as its value; parameters after a semicolon.
const preference = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/** Reads the seconds of `Prefer: wait=N`, cut to the maximum. Preferences that cannot be parsed are ignored. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = [header ?? []].flat().flatMap((value) => value.match(/(?:"[^"]*"|[^,"])+/g) ?? []);
  for (const text of preferences) {
    if (text.length > maxPreferenceLength) continue;
    const [, name, quoted, token] = preference.exec(text) ?? [];
    // RFC 7240: the first one counts.
    if (name?.toLowerCase() === 'wait') return readSeconds(quoted ?? token ?? '');
  }
  return undefined;
}

function readSeconds(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), maxWaitSeconds) : undefined;
}
