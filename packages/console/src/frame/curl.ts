/** A request of this page, as somebody can repeat it. Paths are below `/api/v1`, as those of the client. */
export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
};

/** The path with its query, as it is sent. */
export function pathOf({ path, query = {} }: ApiCall): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? `/api/v1${path}` : `/api/v1${path}?${new URLSearchParams(given)}`;
}

/** A text as one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request for a command line. The token is never shown; it is read from a variable. */
export function curlOf(call: ApiCall, server: string): string {
  const lines = [
    ...(call.method === 'GET' ? [] : [`-X ${call.method}`]),
    '-H "Authorization: Bearer $TOKEN"',
    ...(call.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(call.body))}`]),
    quoted(`${server}${pathOf(call)}`),
  ];
  return `curl ${lines.join(' \\\n  ')}`;
}
