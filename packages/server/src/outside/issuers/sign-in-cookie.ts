import { type CookieRequest, readCookie } from '../../identity/sessions/session-cookie.ts';

const cookieName = 'tocsin_sign_in';

/** The secret of the sign-in that began in this browser. */
export function readSignInCookie(request: CookieRequest): string | undefined {
  return readCookie(request, cookieName);
}

/** `Lax`, because the browser comes back from the page of the issuer. `path` is that of the sign-in. */
export function signInCookie(
  { protocol }: CookieRequest,
  { secret, path, seconds }: { secret: string; path: string; seconds: number },
): string {
  const secure = protocol === 'https' ? '; Secure' : '';
  return `${cookieName}=${secret}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
