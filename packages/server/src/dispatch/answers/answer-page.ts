import { createHash } from 'node:crypto';

/** The content of the page of an answer link. */
export type AnswerPage = {
  language: string;
  title: string;
  /** The message of the call; empty if there is none. */
  message: string;
  lines: readonly string[];
  /** The buttons, with the value each one sends. */
  choices: readonly { answer: 'take' | 'confirm'; label: string }[];
};

const style =
  'body{font:1.2rem/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}' +
  'blockquote{margin:1rem 0;padding:.5rem 1rem;border-left:.3rem solid #b00020;white-space:pre-wrap}' +
  'button{font:inherit;display:block;width:100%;margin:.7rem 0;padding:.9rem;border:2px solid #111;background:#fff}' +
  'button.first{background:#b00020;border-color:#b00020;color:#fff}';

/** The page loads nothing and runs no script; its style is allowed by hash, and its form posts only to this server. */
export const answerPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** A page that works without scripts, on any telephone. */
export function answerPage({ language, title, message, lines, choices }: AnswerPage): string {
  const buttons = choices.map(
    ({ answer, label }, index) =>
      `<button name="answer" value="${answer}"${index === 0 ? ' class="first"' : ''}>${escape(label)}</button>`,
  );
  return [
    `<!doctype html><html lang="${escape(language)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer">',
    `<title>${escape(title)}</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1>`,
    message === '' ? '' : `<blockquote>${escape(message)}</blockquote>`,
    ...lines.map((line) => `<p>${escape(line)}</p>`),
    buttons.length === 0 ? '' : `<form method="post">${buttons.join('')}</form>`,
    '</main></body></html>\n',
  ].join('');
}

function escape(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign);
}
