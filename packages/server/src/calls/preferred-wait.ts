/** Seconds. */
const longestWait = 120;

/** Characters. More would keep the pattern below busy for seconds. */
const longestPreference = 256;

// RFC 7240: a token, with a token or a quoted text as its value; parameters after a semicolon.
const preference = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s";]*)))?\s*(?:;.*)?$/;

/** The seconds of `Prefer: wait=N`, cut to what the server waits at most. What cannot be read is ignored. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = [header ?? []].flat().flatMap((value) => value.match(/(?:"[^"]*"|[^,"])+/g) ?? []);
  for (const text of preferences) {
    if (text.length > longestPreference) continue;
    const [, name, quoted, token] = preference.exec(text) ?? [];
    // Named twice, the first counts.
    if (name?.toLowerCase() === 'wait') return readSeconds(quoted ?? token ?? '');
  }
  return undefined;
}

function readSeconds(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), longestWait) : undefined;
}
