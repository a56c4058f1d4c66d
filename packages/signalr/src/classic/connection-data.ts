const mostHubs = 16;
const longestText = 4_096;

/** Which hubs a client has callbacks for, of which there is one here. */
export type ConnectionData =
  | { readonly kind: 'hubs'; readonly listed: boolean }
  | { readonly kind: 'refused'; readonly status: 400 | 500; readonly reason: string };

/**
 * Reads `[{"name":"alarmhub"}]`. The clients of jQuery and Node write the name in lower case, so case means nothing.
 * Without any text the client is no hub client: it would wait for ever for messages it can never get.
 */
export function readConnectionData(text: string | undefined, hubName: string): ConnectionData {
  if (text === undefined || text === '') return refused(400, 'connectionData is missing: this is a hub');
  const names = hubNamesIn(text);
  if (names === undefined) return refused(400, 'connectionData is not a list of hubs');
  const wanted = hubName.toLowerCase();
  const unknown = names.find((name) => name.toLowerCase() !== wanted);
  if (unknown !== undefined) return refused(500, `'${unknown.slice(0, 100)}' Hub could not be resolved.`);
  return { kind: 'hubs', listed: names.length > 0 };
}

function hubNamesIn(text: string): string[] | undefined {
  if (text.length > longestText) return undefined;
  const hubs = parse(text);
  if (!Array.isArray(hubs) || hubs.length > mostHubs) return undefined;
  const names = hubs.map((hub: unknown) => nameOf(hub));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** .NET clients write `Name`. */
function nameOf(hub: unknown): string | undefined {
  if (typeof hub !== 'object' || hub === null) return undefined;
  const name = ('name' in hub && hub.name) || ('Name' in hub && hub.Name);
  return typeof name === 'string' ? name : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(status: 400 | 500, reason: string): ConnectionData {
  return { kind: 'refused', status, reason };
}
