/** A token of this page and the person it belongs to. */
export type AccessToken = {
  readonly text: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
  /** Tenant and user: two tenants may have users of the same number. */
  readonly owner: string;
};

/** The owner of a token, which its middle part names. */
export function ownerOf(token: string): string {
  const [, claims = ''] = token.split('.');
  try {
    const text = atob(claims.replaceAll('-', '+').replaceAll('_', '/'));
    const { tid, sub } = JSON.parse(text) as { tid?: unknown; sub?: unknown };
    return `${String(tid)} ${String(sub)}`;
  } catch {
    return '';
  }
}
