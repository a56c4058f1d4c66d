import type { AuditActor } from '../audit/audit-entry.ts';

/** Somebody whom an issuer or a directory has authenticated. */
export type OutsidePerson = {
  /** With the subject it names the person for ever. */
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly name: string;
  readonly groups: readonly string[];
};

const maxUsernameLength = 128;
const maxNameLength = 256;

/** The names of a new user. Invisible characters are removed, because two names must not look the same. */
export function namesOf({ username, name, subject }: OutsidePerson): { username: string; name: string } {
  const shown = visible(username, maxUsernameLength) || visible(subject, maxUsernameLength);
  return { username: shown, name: visible(name, maxNameLength) || shown };
}

function visible(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, maxLength)
    .trim();
}

/** The author of changes that follow from what the issuer says about the person. */
export function actorOfPerson({ issuer, subject, name }: OutsidePerson): AuditActor {
  return { kind: 'issuer', id: `${issuer} ${subject}`, name };
}
