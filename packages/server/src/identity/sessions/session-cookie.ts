/** The parts of a request that a cookie depends on. */
export type CookieRequest = {
  readonly headers: {
    readonly cookie?: string | undefined;
    readonly origin?: string | undefined;
    readonly 'sec-fetch-site'?: string | string[] | undefined;
  };
  /** As the browser sees them, behind a trusted proxy too. */
  readonly host: string;
  readonly protocol: string;
};

const cookieName = 'tocsin_session';

/** The refresh token in the cookie. */
export function readSessionCookie(request: CookieRequest): string | undefined {
  return readCookie(request, cookieName);
}

/** The value of a cookie. Two cookies of this name are none: a page of a neighbouring host may have set one. */
export function readCookie({ headers }: Pick<CookieRequest, 'headers'>, wanted: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === wanted ? [value.join('=').trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** The header that stores a refresh token in the browser. `path` is that of the log-in, the only one that needs it. */
export function sessionCookie(
  { protocol }: CookieRequest,
  { token, path, seconds }: { token: string; path: string; seconds: number },
): string {
  const secure = protocol === 'https' ? '; Secure' : '';
  return `${cookieName}=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearedCookie(request: CookieRequest, path: string): string {
  return sessionCookie(request, { token: '', path, seconds: 0 });
}

/**
 * Whether a page of this server sent the request, or no page at all. SameSite is not enough: other ports and neighbouring
 * hosts are the same site, and any page can send a log-in form, to sign people in under a name of its choice.
 */
export function isFromOwnPage({ headers, host }: CookieRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || hostOf(origin) === host.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
