const maxHubs = 16;
const maxTextLength = 4_096;

/** The hubs that a client subscribes to. This server has one hub. */
export type ConnectionData =
  | { readonly kind: 'hubs'; readonly isSubscribed: boolean }
  | { readonly kind: 'refused'; readonly status: 400 | 500; readonly reason: string };

/**
 * Parses `[{"name":"alarmhub"}]`. The clients for jQuery and Node.js send the name in lower case, so it is
 * case-insensitive. A client without connection data uses a persistent connection, which would never get a message.
 */
export function readConnectionData(text: string | undefined, hubName: string): ConnectionData {
  if (text === undefined || text === '') return refused(400, 'connectionData is missing: this is a hub');
  const names = parseHubNames(text);
  if (names === undefined) return refused(400, 'connectionData is not a list of hubs');
  const wanted = hubName.toLowerCase();
  const unknown = names.find((name) => name.toLowerCase() !== wanted);
  if (unknown !== undefined) return refused(500, `'${unknown.slice(0, 100)}' Hub could not be resolved.`);
  return { kind: 'hubs', isSubscribed: names.length > 0 };
}

function parseHubNames(text: string): string[] | undefined {
  if (text.length > maxTextLength) return undefined;
  const hubs = parse(text);
  if (!Array.isArray(hubs) || hubs.length > maxHubs) return undefined;
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
