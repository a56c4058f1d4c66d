import type { TagGroup } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { treeOf } from './tag-tree.ts';

const group = (id: number, name: string, parentId = 0): TagGroup => ({
  id,
  name,
  localizedName: '',
  parentId,
  stationId: 0,
  autoAcknowledge: false,
  scenarioId: 0,
  lastChange: '2026-03-01T06:00:00',
});

test('groups follow their parents, by name', () => {
  const groups = [
    group(1, 'Works'),
    group(2, 'Filters', 1),
    group(3, 'Dosing', 4),
    group(4, 'Chlorination', 1),
  ];
  expect(treeOf(groups).map(({ group: { name }, depth }) => [name, depth])).toEqual([
    ['Works', 0],
    ['Chlorination', 1],
    ['Dosing', 2],
    ['Filters', 1],
  ]);
});

test('a group whose parent somebody may not see is at the top', () => {
  expect(treeOf([group(7, 'Pumps', 3)])).toMatchObject([{ depth: 0 }]);
});
