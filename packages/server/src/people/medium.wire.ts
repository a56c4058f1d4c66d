import type { Medium } from '@tocsin/contract';
import { invalid } from '../problem.ts';

/** How an address of each kind is written when it is kept, or undefined when it is no such address. */
const readAddress: Record<Medium['kind'], (address: string) => string | undefined> = {
  Voice: readNumber,
  Sms: readNumber,
  Pager: readNumber,
  Email: readMailAddress,
  Webhook: readUrl,
  Push: (token) => token,
};

const wanted: Record<Medium['kind'], string> = {
  Voice: 'must be a telephone number',
  Sms: 'must be a telephone number',
  Pager: 'must be a telephone number',
  Email: 'must be a mail address',
  Webhook: 'must be an http or https URL',
  Push: 'must be a device token',
};

/** The ways to reach a user as they are kept: addresses checked and written in one way. */
export function keptMedia(media: readonly Medium[]): Required<Medium>[] {
  return media.map(({ kind, address, enabled = true }, index) => {
    const kept = readAddress[kind](address);
    if (kept === undefined) throw invalid(`/media/${index}/address`, wanted[kind]);
    return { kind, address: kept, enabled };
  });
}

/** `+33 (0)1 23-45` becomes `+33012345`. */
function readNumber(text: string): string | undefined {
  if (!/^\+?[0-9 ()./-]{3,32}$/.test(text)) return undefined;
  const number = text.replace(/[^+0-9]/g, '');
  return /[0-9]{3}/.test(number) ? number : undefined;
}

/** Only what would break a mail header is refused: the rest is for the mail server to say. */
function readMailAddress(text: string): string | undefined {
  return /^[^\s\p{Cc}@]+(?:@[^\s\p{Cc}@]+)+$/u.test(text) ? text : undefined;
}

function readUrl(text: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}
