import type { Medium } from '../calling/call-plan.ts';

/** How an address was confirmed: its owner entered a code that was sent to it, or an administrator vouches for it. */
export type Confirmation = { by: 'code' | 'administrator'; at: Date };

/** A medium of a person; one that nobody has confirmed is not called. */
export type ContactMedium = Medium & { enabled: boolean; confirmed: Confirmation | undefined };

/** Whoever reads the text messages of a number also answers its calls. */
const sharedNumbers: readonly Medium['kind'][] = ['Voice', 'Sms'];

/** Whether a confirmation of one medium holds for the other. */
export function isSameContact(one: Medium, other: Medium): boolean {
  if (one.address !== other.address) return false;
  return one.kind === other.kind || [one, other].every(({ kind }) => sharedNumbers.includes(kind));
}

/**
 * The media of a person after a change. An address that the person had before stays as it was, confirmed or not, so that
 * saving it again confirms nothing. A new one gets the confirmation of the writer.
 */
export function keepConfirmations(
  before: readonly ContactMedium[],
  wanted: readonly Omit<ContactMedium, 'confirmed'>[],
  ofWriter: Confirmation | undefined,
): ContactMedium[] {
  return wanted.map(({ kind, address, enabled }) => {
    const medium = { kind, address, enabled };
    const known = before.filter((one) => isSameContact(one, medium));
    const confirmed =
      known.length === 0 ? ofWriter : known.find((one) => one.confirmed !== undefined)?.confirmed;
    return { ...medium, confirmed };
  });
}

/** The media with this one confirmed. */
export function confirmMedium(
  media: readonly ContactMedium[],
  medium: Medium,
  confirmed: Confirmation,
): ContactMedium[] {
  return media.map((one) => (isSameContact(one, medium) ? { ...one, confirmed } : one));
}
