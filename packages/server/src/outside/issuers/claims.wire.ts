import type { OutsidePerson } from '../outside-person.ts';

const maxSubjectLength = 255;
const maxGroups = 10_000;

type Claims = Readonly<Record<string, unknown>>;

/** The person that verified claims describe; undefined if the subject cannot be stored. */
export function personOf(claims: Claims, groupsClaim: string): OutsidePerson | undefined {
  const { iss, sub } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined;
  // PostgreSQL text cannot hold NUL.
  if (sub === '' || sub.length > maxSubjectLength || sub.includes('\u0000')) return undefined;
  const username = textOf(claims['preferred_username']) || textOf(claims['email']) || sub;
  const name = textOf(claims['name']) || username;
  return { issuer: iss, subject: sub, username, name, groups: groupsOf(claims[groupsClaim]) };
}

function groupsOf(claim: unknown): string[] {
  return [claim]
    .flat()
    .slice(0, maxGroups)
    .filter((group) => typeof group === 'string');
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}
