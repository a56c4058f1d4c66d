import type { Medium, UserMedium } from '@tocsin/contract';
import { type Confirmation, type ContactMedium, formatUtc } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';

/** The stored form of an address of each kind; undefined if the address is not valid. */
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

/** The media of a user with checked and normalized addresses. */
export function keptMedia(media: readonly Medium[]): Required<Medium>[] {
  return media.map(({ kind, address, enabled = true }, index) => ({
    kind,
    address: keptAddress({ kind, address }, `/media/${index}/address`),
    enabled,
  }));
}

/** The address as it is stored; `pointer` names the member that may be wrong. */
export function keptAddress(
  { kind, address }: Pick<Medium, 'kind' | 'address'>,
  pointer = '/address',
): string {
  const kept = readAddress[kind](address);
  if (kept === undefined) throw invalid(pointer, wanted[kind]);
  return kept;
}

const shownAs: Record<Confirmation['by'], NonNullable<UserMedium['confirmed']>['by']> = {
  code: 'Code',
  administrator: 'Administrator',
};

export function mediumToWire({ kind, address, enabled, confirmed }: ContactMedium): UserMedium {
  const shown = confirmed && { by: shownAs[confirmed.by], time: formatUtc(confirmed.at) };
  return { kind, address, enabled, ...(shown && { confirmed: shown }) };
}

/** `+33 (0)1 23-45` becomes `+33012345`. */
function readNumber(text: string): string | undefined {
  if (!/^\+?[0-9 ()./-]{3,32}$/.test(text)) return undefined;
  const number = text.replace(/[^+0-9]/g, '');
  return /[0-9]{3}/.test(number) ? number : undefined;
}

/** Refuses only addresses that would break a mail header; the mail server checks the rest. */
function readMailAddress(text: string): string | undefined {
  return /^[^\s\p{Cc}@]+(?:@[^\s\p{Cc}@]+)+$/u.test(text) ? text : undefined;
}

function readUrl(text: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}
