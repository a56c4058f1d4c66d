/** A telephone number, a short code with `*` and `#`, or the name of a SIP user. */
const numberPattern = /^\+?[0-9*#]{2,32}$/;
const userPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The user part of the address to dial; undefined if the address is neither a number nor a SIP user. */
export function dialledUser(address: string): string | undefined {
  // People write numbers with spaces and brackets; names have none.
  const number = address.replace(/[ ()./-]/g, '');
  if (numberPattern.test(number)) return number.replaceAll('#', '%23');
  return userPattern.test(address) ? address : undefined;
}

/** The SIP address to dial. Undefined for anything that could say more to baresip than whom to call. */
export function dialledUri(address: string, trunk: { host: string; port: number }): string | undefined {
  const user = dialledUser(address);
  return user === undefined ? undefined : `sip:${user}@${hostAndPort(trunk)}`;
}

export function hostAndPort({ host, port }: { host: string; port: number }): string {
  return port === 5_060 ? host : `${host}:${port}`;
}
