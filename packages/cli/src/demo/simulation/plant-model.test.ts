import { expect, test } from 'vitest';
import { tags } from '../waterworks/tags.ts';
import { type PlantAction, PlantModel } from './plant-model.ts';
import { randomFrom } from './random.ts';

const open = (seed = 7) => new PlantModel(tags, randomFrom(seed));

/** What happens in this many seconds, a quarter of a second at a time. */
const live = (model: PlantModel, seconds: number): PlantAction[] =>
  Array.from({ length: seconds * 4 }, () => model.advance(0.25)).flat();

const brief = ({ kind, tag }: PlantAction) => `${kind} ${tag.path}`;

test('the first alarm comes within a second, and it calls somebody', () => {
  const [first] = live(open(), 1);
  expect(first).toMatchObject({ kind: 'raise', tag: { priority: 1, scenario: 'Call process' } });
});

test('the same seed lives the same life, whatever the steps of time', () => {
  const small = live(open(3), 3_600).map(brief);
  const large = [open(3)].flatMap((model) => Array.from({ length: 60 }, () => model.advance(60))).flat();
  expect(small.length).toBeGreaterThan(100);
  expect(large.map(brief)).toEqual(small);
  expect(live(open(4), 3_600).map(brief)).not.toEqual(small);
});

test('nothing is raised twice or reset before it was raised, and most of it is over after a day', () => {
  const model = open();
  model.storm();
  model.chatter();
  const active = new Set<string>();
  for (const { kind, tag } of live(model, 86_400)) {
    if (kind === 'acknowledge') continue;
    expect(active.has(tag.path), `${kind} ${tag.path}`).toBe(kind === 'reset');
    if (kind === 'raise') active.add(tag.path);
    else active.delete(tag.path);
  }
  expect(active.size).toBeLessThan(20);
});

test('a storm raises some forty alarms in twelve seconds, its cause first', () => {
  const model = open();
  live(model, 1);
  model.storm();
  const raised = live(model, 13).filter(({ kind }) => kind === 'raise');
  expect(raised[0]?.tag.path).toBe('Pow.MCC2.UV');
  expect(raised.length).toBeGreaterThan(30);
});

test('a chattering sensor comes and goes more than ten times, then stays well', () => {
  const model = open();
  model.chatter();
  const kinds = live(model, 60)
    .filter(({ tag }) => tag.path === 'Int.FT118.QUAL')
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'acknowledge');
  expect(kinds.length).toBeGreaterThan(20);
  expect(kinds.at(-1)).toBe('reset');
});

test('while the link to a station is lost, none of its signals changes', () => {
  let isLost = false;
  let losses = 0;
  for (const { kind, tag } of live(open(), 43_200)) {
    if (tag.path === 'Tel.AUB.COMM' && kind !== 'acknowledge') {
      isLost = kind === 'raise';
      losses += Number(isLost);
    } else if (isLost && kind !== 'acknowledge') expect(tag.dataServer).not.toBe('RTU-AUB');
  }
  expect(losses).toBeGreaterThan(2);
});

test('reservoirs run low and are filled again', () => {
  const levels = live(open(), 43_200).filter(({ tag }) => /\.LT21\d\.L$/.test(tag.path));
  expect(levels.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['raise', 'reset']));
  const low = levels.find(({ kind }) => kind === 'raise');
  expect(Number.parseFloat(low?.value ?? '')).toBeLessThan(1.9);
});
