import { expect, test } from 'vitest';
import { matchesSearch, searchLexemes, searchTerms, searchText } from './search-text.ts';

const boiler = ['Usine\\Chaufferie 2\\Chaudière', 'Chaudière', 'Température élevée: 95 °C 🔥', 'Joint usé'];

function finds(query: string, ...fields: string[]): boolean {
  return matchesSearch(searchText(fields), searchTerms(query));
}

test.each(['', '   ', '""', '"', '\u0000', '\u0301'])(
  'a search for nothing (%j) finds everything',
  (query) => {
    expect(finds(query, ...boiler)).toBe(true);
  },
);

test.each([
  'chaud',
  'chaud temp',
  'TEMP CHAUD',
  'chaufferie 2',
  '95 °c',
  'usine\\chauff',
  '\\chaud',
  'élevée:',
])('the boiler is found by the beginnings of its words: %s', (query) => {
  expect(finds(query, ...boiler)).toBe(true);
});

test.each(['audière', '5', 'chaud pump', 'usine chaudron', '-chaud', 'chaud_ère', '❄', '\uD83D'])(
  'the boiler is not found by what it does not have: %j',
  (query) => {
    expect(finds(query, ...boiler)).toBe(false);
  },
);

test.each(['"température élevée"', '"temperature elev"', '"élevée:  95', 'joint"usé"', '"°C 🔥"'])(
  'the boiler is found by a phrase: %s',
  (query) => {
    expect(finds(query, ...boiler)).toBe(true);
  },
);

test.each(['"élevée température"', '"temp élevée"', '"chaudière température"', '"usine chaufferie"'])(
  'the boiler is not found by a phrase in another order or across fields: %s',
  (query) => {
    expect(finds(query, ...boiler)).toBe(false);
  },
);

test.each([
  ['Chaudière', 'chaudiere', 'CHAUDIÈRE', 'chaudie\u0300re', 'ＣＨＡＵＤ', 'chau\u00ADdière', '\u0007chaud'],
  ['Hauptstraße', 'HAUPTSTRASSE', 'hauptstraß', 'hauptstras'],
  ['KAPI', 'kapı', 'kapi'],
  ['kapı', 'KAPI', 'kapi'],
  ['İstanbul', 'istanbul', 'ISTANBUL'],
  ['ΟΔΟΣΑ', 'ΟΔΟΣ', 'οδός', 'οδοσ'],
  ['Łódź', 'lodz', 'ŁÓDŹ'],
  ['Nœud ferroviaire', 'noeud', 'NŒUD'],
  ['Køge', 'koge', 'KØGE'],
  ['Ventil ①', 'ventil 1'],
  ['☎\uFE0F 112', '☎', '☎\uFE0F'],
  ['がス', 'が', 'か'],
])('%s is found however it is typed', (text, ...queries) => {
  expect(queries.filter((query) => !finds(query, text))).toEqual([]);
});

test('operators of query languages are plain text', () => {
  expect(finds('%', 'Level at 50%')).toBe(true);
  expect(finds('50%', 'Level at 50%')).toBe(true);
  expect(finds('%', 'Level at 50')).toBe(false);
  expect(finds('a & b', 'a & b')).toBe(true);
  expect(finds('a & b', 'a b')).toBe(false);
  expect(finds('pump*', 'pumps')).toBe(false);
});

test('a query gives each of its terms once, and no empty ones', () => {
  expect(searchTerms('Pump pump PUMP "" " " \u0301')).toEqual(['\u0001pump']);
  const many = Array.from({ length: 100 }, (_, number) => `tag${number}`);
  expect(searchTerms(many.join(' '))).toEqual(many.map((word) => `\u0001${word}`));
});

test('words are indexed once, and long ones cut between characters', () => {
  expect(searchLexemes(searchText(['Pump-2 pump', '2']))).toEqual(['pump', '2']);
  expect(searchLexemes('𠮷'.repeat(70))).toEqual(['𠮷'.repeat(64)]);
  expect(searchLexemes('% 🔥')).toEqual([]);
});
