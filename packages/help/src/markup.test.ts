import { expect, test } from 'vitest';
import { classesOf, colouredByClass, focusable, movable, moveInline, named, relativeTo } from './markup.ts';

function moved(html: string) {
  const files = new Map<string, string>();
  const styles = new Map<string, string>();
  return { html: moveInline(html, files, styles), files, styles };
}

test('a script and a style of a page become files, once for all pages', () => {
  const { html, files } = moved(
    '<script>run()</script><script type="module">run()</script><style>b{color:red}</style><script src="/x.js"></script>',
  );
  const paths = [...files.keys()];
  expect(paths).toEqual([
    expect.stringMatching(/^_astro\/inline\.[\w-]{12}\.js$/),
    expect.stringMatching(/^_astro\/inline\.[\w-]{12}\.css$/),
  ]);
  expect([...files.values()]).toEqual(['run()', 'b{color:red}']);
  expect(html).toBe(
    `<script src="/help/${paths[0]}"></script><script type="module" src="/help/${paths[0]}"></script><link rel="stylesheet" href="/help/${paths[1]}"><script src="/x.js"></script>`,
  );
});

test('style attributes become classes, also beside other classes and behind brackets in a value', () => {
  const { html, styles } = moved(
    `<p style="--0:#fff">a</p><p title="a > b" class="c" style='--0:#fff'>b</p><kbd style="display: none;">K</kbd>`,
  );
  const [name] = [...styles.keys()];
  expect(html).toBe(`<p class="${name}">a</p><p title="a > b" class="${name} c">b</p><kbd>K</kbd>`);
  expect(classesOf(styles)).toBe(`.${name}{--0:#fff}`);
});

test('text that looks like an attribute is left alone', () => {
  const text = '<p>write style="color:red" or href="/x"</p>';
  expect(moved(text).html).toBe(text);
  expect(relativeTo(text, 2)).toBe(text);
});

test('addresses of the server become relative to the page, others stay', () => {
  expect(relativeTo('<a href="/help/sip/#x"><img src="/help/a.svg"><a href="//b"><a href="#c">', 2)).toBe(
    '<a href="../../help/sip/#x"><img src="../../help/a.svg"><a href="//b"><a href="#c">',
  );
});

test('tables and code can be scrolled with a keyboard', () => {
  expect(focusable('<table><pre data-language="sh"><pre tabindex="0"><p>')).toBe(
    '<table tabindex="0"><pre tabindex="0" data-language="sh"><pre tabindex="0"><p>',
  );
});

test('an empty header is a cell, and the box of a task is a sign that a screen reader skips', () => {
  expect(named('<th></th><th>Name</th>')).toBe('<td></td><th>Name</th>');
  expect(named('<input type="checkbox" disabled> A <input type="checkbox" checked disabled> B')).toBe(
    '<span aria-hidden="true">☐</span> A <span aria-hidden="true">☑</span> B',
  );
});

test('code keeps its colours when its style attributes have become classes', () => {
  expect(colouredByClass(".ec-line :where(span[style^='--']:not([class])){color:var(--0)}")).toBe(
    '.ec-line :where(span[class^="st-"]){color:var(--0)}',
  );
});

test('a script finds the site by its own address, and makes no region of code', () => {
  expect(movable('return`/help/`+e,e.setAttribute("role","region")')).toBe(
    'return(new URL("../",import.meta.url).pathname)+e',
  );
});
