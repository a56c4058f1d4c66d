import { readFileSync } from 'node:fs';
import { consolePriorities } from '@tocsin/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { AlarmSymbol, type SymbolState } from './alarm-symbol.tsx';

/** A style sheet on one line, however it is formatted. */
const readStyle = (name: string) =>
  readFileSync(new URL(`../style/${name}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');
const css = readStyle('alarm-symbol.css');
const states = Object.keys({
  new: true,
  ack: true,
  rtn: true,
  mask: true,
  none: true,
  over: true,
} satisfies Record<SymbolState, true>) as SymbolState[];

const draw = (priority: (typeof consolePriorities)[number], state: SymbolState) =>
  renderToStaticMarkup(createElement(AlarmSymbol, { priority, state }));

/** The outlines that are drawn, without their classes, so without colour. */
const outlines = (svg: string) => [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path).join(' ');
const labelOf = (svg: string) => /aria-label="([^"]+)"/.exec(svg)?.[1] ?? '';
const numberIn = (svg: string) => />(\d)<\/text>/.exec(svg)?.[1];

/** What the style draws without colour for a state: whether the body is filled, and how its line is broken and wide. */
function patternOf(state: SymbolState): string {
  const rule = new RegExp(String.raw`(?<![\]] )\.sym\.is-${state} \.body \{([^}]*)\}`).exec(css)?.[1] ?? '';
  const valueOf = (property: string) => new RegExp(`(?:^|[ ;])${property}: ([^;]+);`).exec(rule)?.[1] ?? '';
  const isHollow = valueOf('fill') === 'none';
  return `${isHollow ? 'hollow' : 'filled'} ${valueOf('stroke-dasharray')} ${isHollow ? valueOf('stroke-width') : ''}`;
}

test('each priority has its own outline and its own number', () => {
  const drawn = consolePriorities.map((priority) => draw(priority, 'ack'));
  expect(new Set(drawn.map(outlines)).size).toBe(consolePriorities.length);
  expect(drawn.map(numberIn)).toEqual(consolePriorities.map(String));
});

describe.each([...consolePriorities])('an alarm of priority %i', (priority) => {
  test('is drawn in a way of its own in each state of the list, without colour', () => {
    const listed = states.filter((state) => state !== 'over');
    const looks = listed.map((state) => `${outlines(draw(priority, state))} ${patternOf(state)}`);
    expect(new Set(looks).size).toBe(listed.length);
  });

  test('keeps a second outline while it is new, so that it is seen without flashing', () => {
    const count = (state: SymbolState) => outlines(draw(priority, state)).split('M').length - 1;
    expect(count('new')).toBe(count('ack') + 1);
  });

  test('is hollow after its return', () => {
    expect(draw(priority, 'rtn')).toContain('class="inner"');
    expect(draw(priority, 'ack')).not.toContain('class="inner"');
  });

  test('says its priority and state in words, each in its own', () => {
    const labels = states.map((state) => labelOf(draw(priority, state)));
    expect(new Set(labels).size).toBe(states.length);
    for (const label of labels) expect(label).toMatch(new RegExp(`^Priority ${priority} \\w+, \\w+$`));
  });
});

test('only symbols flash, at most once a second, and not for those who want it steady', () => {
  expect(css).toMatch(/\.sym\.is-new \.body \{ animation: flash var\(--flash\)/);
  expect(css).toMatch(/\[data-steady\] \.sym \.body \{ animation: none/);
  expect(css).toMatch(/prefers-reduced-motion: reduce\) \{ \.sym \.body \{ animation: none !important/);
  const tokens = readStyle('tokens.css');
  expect(Number(/--flash: ([\d.]+)s/.exec(tokens)?.[1])).toBeGreaterThanOrEqual(1);
});
