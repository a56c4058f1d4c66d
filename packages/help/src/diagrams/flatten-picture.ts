/*
 * Functions that run in the browser, one after the other, so each stands alone. Together they write the styles of a drawn
 * diagram into attributes of its elements and remove its style sheet: a picture is then shown alike wherever the policy of
 * a server forbids styles within it.
 */

/** The properties of shapes and of texts that are written, with the values that need not be. */
export const properties = {
  shapes: {
    fill: '',
    stroke: 'none',
    'stroke-width': '1',
    'stroke-dasharray': 'none',
    opacity: '1',
    'fill-opacity': '1',
    'stroke-opacity': '1',
  },
  // Without lines around letters, which make them pale.
  texts: {
    fill: '',
    opacity: '1',
    'font-family': '',
    'font-size': '',
    'font-weight': '400',
    'font-style': 'normal',
    'text-anchor': 'start',
    'dominant-baseline': 'auto',
  },
} as const;
export type Properties = typeof properties;

export function writeStyles(svg: Element, { shapes, texts }: Properties): void {
  const toHex = (_: string, ...parts: string[]) =>
    `#${parts
      .slice(0, 3)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`;
  const valueOf = (element: Element, name: string) =>
    getComputedStyle(element)
      .getPropertyValue(name)
      .replaceAll(/rgba?\((\d+), (\d+), (\d+)(?:, 1)?\)/g, toHex)
      .replaceAll(/(\d)px\b/g, '$1')
      .replaceAll('"', "'");
  const drawn = 'path, rect, circle, ellipse, polygon, polyline, line, text, tspan';
  for (const element of svg.querySelectorAll(drawn)) {
    if (getComputedStyle(element).display === 'none') element.remove();
    const outer = element.tagName === 'tspan' ? element.parentElement : null;
    const wanted = element instanceof SVGTextContentElement ? texts : shapes;
    for (const [name, initial] of Object.entries(wanted)) {
      const value = valueOf(element, name);
      const isNeedless = value === '' || value === initial || (outer && valueOf(outer, name) === value);
      if (!isNeedless) element.setAttribute(name, value);
    }
  }
}

/** Removes what only the style sheet and the program that drew it needed. */
export function removeStyles(svg: Element, { shapes, texts }: Properties): void {
  for (const element of svg.querySelectorAll('style, script')) element.remove();
  const ofGroups = [...Object.keys(shapes), ...Object.keys(texts)];
  for (const element of [svg, ...svg.querySelectorAll('*')]) {
    const needless = element
      .getAttributeNames()
      .filter((name) => /^(style|class|role|aria-.*|data-.*)$/.test(name));
    for (const name of [...needless, ...(element.tagName === 'g' ? ofGroups : [])])
      element.removeAttribute(name);
  }
  const uses = ['marker-start', 'marker-end'].flatMap((name) =>
    [...svg.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ''),
  );
  for (const marker of svg.querySelectorAll('marker'))
    if (!uses.some((value) => value.includes(`#${marker.id})`))) marker.remove();
}

/** The picture as a file, which says from which source it was drawn. */
export function pictureText(svg: Element, hash: string): string {
  if (!(svg instanceof SVGSVGElement)) throw new Error('not a picture');
  const { x, y, width, height } = svg.viewBox.baseVal;
  const text = new XMLSerializer().serializeToString(svg).replace(/^<svg[^>]*>/, '');
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="${x} ${y} ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} data-source="${hash}">${text}\n`;
}
