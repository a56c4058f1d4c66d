import type { IncomingMessage } from 'node:http';

/** The token of a hub request, or why there is none. Two different tokens are refused. */
export type HubToken = { token: string } | { missing: true } | { conflicting: true } | { malformed: true };

const tokenText = /^[A-Za-z0-9._~+/=-]{1,8192}$/;

/**
 * Browsers cannot set headers on WebSockets and event streams, so hub paths, and no others, accept the token in the
 * query, too.
 */
export function hubToken({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): HubToken {
  const fromHeader = headers.authorization === undefined ? undefined : bearerOf(headers.authorization);
  const fromQuery = queryToken(url);
  if (headers.authorization !== undefined && fromHeader === undefined) return { malformed: true };
  const token = fromHeader ?? fromQuery;
  if (token === undefined) return { missing: true };
  if (fromQuery !== undefined && fromQuery !== token) return { conflicting: true };
  return tokenText.test(token) ? { token } : { malformed: true };
}

function bearerOf(header: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/** Some clients send the parameter twice, with the same token. */
function queryToken(url: string): string | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const tokens = new Set(new URLSearchParams(url.slice(start + 1)).getAll('access_token').filter(Boolean));
  return tokens.size > 1 ? [...tokens].join(' ') : [...tokens][0];
}
