/** A browser's network: one cookie jar for all its tabs, a plug that can be pulled, and a look at its requests. */
export type Browser = {
  readonly fetch: typeof fetch;
  /** While false, no request gets through. */
  isOnline: boolean;
  /** While true, requests get through and their answers are lost. */
  losesAnswers: boolean;
  /** Method and path of each request that was sent. */
  readonly sent: string[];
  /** Changes the answer to a log-in or a refresh. */
  changeGrant: (grant: Grant) => Grant;
  /** What scripts cannot read. */
  cookies(): string;
};

type Grant = { access_token: string; expires_in: number };

export function openBrowser(): Browser {
  const jar = new Map<string, { value: string; path: string }>();
  const browser: Browser = {
    isOnline: true,
    losesAnswers: false,
    sent: [],
    changeGrant: (grant) => grant,
    cookies: () => [...jar].map(([name, { value }]) => `${name}=${value}`).join('; '),
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (!browser.isOnline) throw new TypeError('there is no network');
      const headers = new Headers(init.headers);
      const cookies = [...jar].filter(([, { path }]) => url.pathname.startsWith(`${path}/`));
      if (init.credentials === 'same-origin' && cookies.length > 0)
        headers.set('cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '));
      headers.set('origin', url.origin);
      browser.sent.push(`${init.method ?? 'GET'} ${url.pathname}`);
      const answer = await fetch(url, { ...init, headers });
      if (browser.losesAnswers) throw new TypeError('the connection broke');
      for (const text of answer.headers.getSetCookie()) keepCookie(jar, text);
      if (!url.pathname.endsWith('/auth/login') || !answer.ok) return answer;
      return Response.json(browser.changeGrant((await answer.json()) as Grant));
    },
  };
  return browser;
}

function keepCookie(jar: Map<string, { value: string; path: string }>, text: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
  const [, path = '/'] = /; Path=([^;]+)/.exec(text) ?? [];
  if (/; Max-Age=0(;|$)/.test(text)) jar.delete(name);
  else jar.set(name, { value, path });
}
