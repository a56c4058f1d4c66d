import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signature of a form that is posted to a URL: HMAC-SHA1 of the URL, and of all names and values in order of the names. */
export function providerSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].toSorted();
  // A value that is sent twice is signed once.
  const values = names.map((name) => name + [...new Set(form.getAll(name))].toSorted().join(''));
  return createHmac('sha1', authToken)
    .update(url + values.join(''), 'utf8')
    .digest('base64');
}

/** Whether a call-back was signed with the token. A provider may sign the default port, although the URL leaves it out. */
export function isSignedByProvider(
  authToken: string,
  { url, form }: { url: string; form: URLSearchParams },
  given: string,
): boolean {
  return [url, withDefaultPort(url)].some((signed) =>
    isSame(given, providerSignature(authToken, signed, form)),
  );
}

function withDefaultPort(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?):\/\/([^/?#:]+)(\/.*)?$/.exec(url) ?? [];
  return host === '' ? url : `${scheme}://${host}:${scheme === 'https' ? 443 : 80}${rest}`;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
