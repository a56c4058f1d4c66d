const maxDeviceLength = 200;

/** The browser or program of the user, as it names itself. */
export function deviceOf({ headers }: { headers: { 'user-agent'?: string | undefined } }): string {
  return (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength);
}
