/** The filter for the entry of a person, by the name that they typed. */
export function filterOfName(userFilter: string, name: string): string {
  return userFilter.replaceAll('{name}', () => escapeValue(name));
}

/** The filter for the entry with this identifier, if it still is the entry of a user, whatever their name is now. */
export function filterOfId(userFilter: string, idAttribute: string, id: string): string {
  const value = isBinary(idAttribute) ? id.replaceAll(/../g, '\\$&') : escapeValue(id);
  return `(&(${idAttribute}=${value})${userFilter.replaceAll('{name}', '*')})`;
}

/** Attributes whose values are bytes; their identifiers are written in hexadecimal. */
export function isBinary(attribute: string): boolean {
  return ['objectguid', 'objectsid'].includes(attribute.toLowerCase());
}

/** RFC 4515: the characters that would change the filter become their codes. */
function escapeValue(text: string): string {
  const codeOf = (character: string) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return text.replaceAll(/[\\*()]/g, codeOf).replaceAll('\u0000', codeOf);
}
