import { expect, test } from 'vitest';
import { entryOf } from './directory-entry.wire.ts';
import { filterOfId, filterOfName } from './directory-filter.ts';

test('a name cannot change the filter', () => {
  expect(filterOfName('(&(uid={name})(ou=plant))', 'anna')).toBe('(&(uid=anna)(ou=plant))');
  expect(filterOfName('(uid={name})', '*)(uid=*')).toBe('(uid=\\2a\\29\\28uid=\\2a)');
  expect(filterOfName('(uid={name})', 'a\\b\u0000$&')).toBe('(uid=a\\5cb\\00$&)');
});

test('an entry is found again by its identifier, whatever the name is now', () => {
  expect(filterOfId('(uid={name})', 'entryUUID', '1-2')).toBe('(&(entryUUID=1-2)(uid=*))');
  expect(filterOfId('(sAMAccountName={name})', 'objectGUID', '0aff')).toBe(
    '(&(objectGUID=\\0a\\ff)(sAMAccountName=*))',
  );
});

const attributes = { idAttribute: 'objectGUID', nameAttribute: 'displayName', groupAttribute: 'memberOf' };

test('an entry of Active Directory has its identifier in bytes, and a bit for disabled accounts', () => {
  const entry = {
    dn: 'CN=Anna,DC=plant',
    objectGUID: Buffer.from([10, 255]),
    displayName: 'Anna',
    memberOf: 'CN=Operators,DC=plant',
    userAccountControl: '512',
  };
  const wanted = { dn: 'CN=Anna,DC=plant', id: '0aff', name: 'Anna', groups: ['CN=Operators,DC=plant'] };
  expect(entryOf(entry, attributes)).toEqual({ ...wanted, enabled: true });
  expect(entryOf({ ...entry, userAccountControl: '514' }, attributes)).toEqual({ ...wanted, enabled: false });
  expect(entryOf({ ...entry, objectGUID: [] }, attributes)).toBeUndefined();
});
