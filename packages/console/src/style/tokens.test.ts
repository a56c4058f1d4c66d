import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, distance, visionNames } from './color.ts';

/** The tokens on one line, however they are formatted. */
const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

/** The colours of a theme by the name of their token. */
function colorsOf(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`} ${selector} {`);
  const block = css.slice(start, css.indexOf('}', start + 1));
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[\da-f]{6})\b/g)].map(([, name = '', hex = '']) => [name, hex]),
  );
}

const themes = { light: colorsOf(':root, [data-theme="light"]'), dark: colorsOf('[data-theme="dark"]') };
const grounds = ['chrome', 'field', 'surface', 'raised', 'hover'];
const priorities = [1, 2, 3, 4];

/** WCAG 2.2 AA: text, and what is needed to see a control or a symbol. */
const textLimit = 4.5;
const shapeLimit = 3;
/** Below this two priorities look alike (ΔE 1976). */
const distanceLimit = 20;

type Pair = readonly [front: string, ground: string, limit: number];
const on = (fronts: readonly string[], backs: readonly string[], limit: number): Pair[] =>
  fronts.flatMap((front) => backs.map((ground) => [front, ground, limit] as const));
const pairs: readonly Pair[] = [
  ...on(['ink', 'text-2', 'text-3'], grounds, textLimit),
  ...on(['on-solid'], ['solid', 'solid-hover'], textLimit),
  ...priorities.map((priority) => [`on-p${priority}`, `p${priority}`, textLimit] as const),
  ...on(['field'], ['h4', 'h5'], textLimit),
  ...on(['surface'], ['chart-hi'], textLimit),
  ...on(['control', 'focus'], grounds, shapeLimit),
  ...on(['chart', 'chart-hi'], ['field', 'surface', 'raised'], shapeLimit),
  ...on(['solid'], ['chrome', 'field', 'surface', 'raised'], shapeLimit),
];

test('both themes have the same colours', () => {
  expect([...themes.dark.keys()].toSorted()).toEqual([...themes.light.keys()].toSorted());
});

test('the measures give the figures of the standards', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(distance('#ffffff', '#000000', 'normal')).toBeCloseTo(100, 1);
  expect(distance('#ff0000', '#00ff00', 'normal')).toBeCloseTo(170.6, 0);
  expect(distance('#ff0000', '#9a8500', 'deuteranopia')).toBeLessThan(distanceLimit);
});

describe.each(Object.entries(themes))('in the %s theme', (_theme, colors) => {
  const colorOf = (token: string): string => {
    const hex = colors.get(token);
    if (hex === undefined) throw new Error(`There is no colour --${token}`);
    return hex;
  };

  test.each(pairs)('%s on %s has a contrast of %d or more', (front, ground, limit) => {
    expect(contrast(colorOf(front), colorOf(ground))).toBeGreaterThanOrEqual(limit);
  });

  test.each(
    on(
      priorities.map((priority) => `p${priority}`),
      grounds,
      shapeLimit,
    ),
  )('the symbol of %s is seen on %s by its fill or its outline', (fill, ground, limit) => {
    const best = Math.max(...[fill, 'outline'].map((token) => contrast(colorOf(token), colorOf(ground))));
    expect(best).toBeGreaterThanOrEqual(limit);
  });

  test.each(visionNames)('no two priorities look alike with %s vision', (vision) => {
    for (const a of priorities)
      for (const b of priorities.filter((other) => other > a))
        expect(
          distance(colorOf(`p${a}`), colorOf(`p${b}`), vision),
          `P${a} and P${b}`,
        ).toBeGreaterThanOrEqual(distanceLimit);
  });
});
