import { expect, test } from 'vitest';
import { differentParts, isEmpty, moveStep, toDraft, toGuidance } from './draft.ts';

const guidance = {
  steps: ['Start pump P222.', 'Take a sample at tap 3.'],
  cause: 'Air in the line',
  consequence: '',
  contacts: ['Duty manager', 'Health authority'],
  files: ['skid.pdf'],
  respondSeconds: 600,
};

test('a text that nobody has changed is sent as it was', () => {
  expect(toGuidance(toDraft(guidance))).toEqual(guidance);
});

test('empty steps and contacts are not sent', () => {
  const draft = { ...toDraft(guidance), steps: ['  ', ' Close V240. '], contacts: '\nDuty manager\n\n' };
  expect(toGuidance(draft)).toMatchObject({ steps: ['Close V240.'], contacts: ['Duty manager'] });
});

test('the time to respond is written in minutes and sent in seconds', () => {
  const minutes = (text: string) => toGuidance({ ...toDraft(guidance), minutes: text }).respondSeconds;
  expect(['10', '2.5', '', '-3', 'soon'].map(minutes)).toEqual([600, 150, 0, 0, 0]);
});

test('two texts differ in the parts that somebody has changed', () => {
  expect(differentParts(guidance, { ...guidance, cause: 'Empty drum', files: [] })).toEqual([
    'cause',
    'files',
  ]);
  expect(differentParts(guidance, guidance)).toEqual([]);
});

test('an empty form says nothing', () => {
  expect(isEmpty(toGuidance(toDraft()))).toBe(true);
  expect(isEmpty(guidance)).toBe(false);
});

test('a step changes places with its neighbour, and the ends stay', () => {
  expect(moveStep(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(moveStep(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
  expect(moveStep(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
});
