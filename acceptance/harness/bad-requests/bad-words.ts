/** Invalid texts for each place of a request: mistakes of clients, and attempts of attackers. */

export const badUints = [
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '',
  ' ',
  ' 1',
  '1 ',
  '4294967296',
  '9'.repeat(16),
  '9'.repeat(5_000),
  '1,2',
  '1;2',
  "1'--",
  '\u0661',
  '\u{1d7d9}',
  '1\u0000',
];

export const badSorts = [
  'name',
  '+name',
  '--id',
  '-ID',
  'id,name',
  '',
  '+',
  '-',
  '__proto__',
  'constructor',
  'id\u0000',
];

export const badDates = [
  'yesterday',
  '2026-02-30',
  '2026-13-01T00:00:00',
  '2026-04-29T25:00:00',
  '2026-04-29T09:07:42+99:00',
  'now',
  '',
  '0000-00-00T00:00:00',
  '2026-04-29T09:07:42Zulu',
  'x'.repeat(100),
  '2026-04-29\u0000',
  '1777453662',
];

/** Not encoded again in a query or a path. */
export const brokenEscapes = ['%', '%zz', '%E0%A4%A', '%C3%28', '%ff', '%u0041'];

export const brokenJson = [
  '',
  ' ',
  '{',
  '}',
  '{"',
  '{"a"',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  'NaN',
  'undefined',
  '[1',
  '"x',
  '{}}',
  '{"a":01}',
  '{"a":+1}',
  '{"a":1e}',
  '{"a":"\u0000"}',
  '{"a":"\n"}',
  '{"a":"\\x"}',
  '{"a":"\\u12"}',
  '\u0000',
  '{} {}',
  '<alarm/>',
  'path=pump',
  '\ufeff',
  '{"a":tru}',
  '// no\n{}',
  '{"a":1 "b":2}',
  '\ud800',
];

export const notObjects = ['[]', '[{}]', '"text"', '7', '-1', 'true', 'false', 'null', '[[]]', '[null]'];

export const poison = [
  '{"__proto__":{"raised":true}}',
  '{"constructor":{"prototype":{"raised":true}}}',
  '{"\\u005f_proto__":{}}',
  '{"location":{"__proto__":{"zone":"x"}}}',
  '{"x":[[{"__proto__":null}]]}',
];

export const contentTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'text/json',
  'application/octet-stream',
  'application',
  '/',
  'json',
  '',
];

export const badKeys = ['', ' ', 'x'.repeat(256), 'cl\u00e9', 'x'.repeat(20_000), 'k\u00ff'];

/** Appended to the path of an endpoint. */
export const badEndings = [
  '%',
  '%zz',
  '%E0%A4%A',
  '%00',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//',
  '%2f',
  '/__proto__',
  '.json',
];

const unsigned = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.';

/** Null for no token. */
export const badTokens = [
  null,
  '',
  'x',
  unsigned,
  `${unsigned}x`,
  'tcs_1_1_x',
  'tcs_',
  'x'.repeat(9_000),
  '\u00e9',
  'a b',
  '../..',
];

export const methods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'LOCK',
];
