/** Enough digits to tell numbers apart without their country and area. */
const significantDigits = 8;

/** The part of an address that all its forms share: the last digits of a number, an e-mail address in lower case. */
export function addressKey(address: string): string {
  return address.includes('@') ? address.trim().toLowerCase() : digitsOf(address).slice(-significantDigits);
}

/** Whether two addresses are of the same telephone or mailbox. Providers format numbers differently. */
export function isSameAddress(one: string, other: string): boolean {
  if (one.includes('@') || other.includes('@')) return addressKey(one) === addressKey(other);
  return isSameNumber(one, other);
}

/** Numbers with the same last digits count as equal. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [digitsOf(one), digitsOf(other)];
  if (a === '' || b === '') return false;
  return a === b || (Math.min(a.length, b.length) >= significantDigits && (a.endsWith(b) || b.endsWith(a)));
}

function digitsOf(number: string): string {
  return number.replace(/\D/g, '').replace(/^0+/, '');
}
