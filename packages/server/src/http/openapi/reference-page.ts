/** The page at `/docs`. It has no inline script and no inline style, so that its policy need not allow any. */
export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <title>Tocsin: the interface</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
  </head>
  <body>
    <div id="app"></div>
    <script src="js/styles.js"></script>
    <script src="js/scalar.js"></script>
    <script src="js/start.js"></script>
  </body>
</html>
`;

/**
 * Scalar adds inline styles to the page, which the policy refuses. Style sheets that a script adopts are not inline, so
 * this script adopts the same styles in the same order.
 */
export const stylesScript = `'use strict';
{
  const sheets = new WeakMap();
  const sheetOf = (element) => {
    const text = element.textContent;
    const known = sheets.get(element);
    if (known?.text === text) return known.sheet;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(element, { text, sheet });
    return sheet;
  };
  const apply = () => {
    const wanted = [...document.querySelectorAll('style')].map(sheetOf);
    const present = document.adoptedStyleSheets;
    if (wanted.length !== present.length || wanted.some((sheet, place) => sheet !== present[place])) {
      document.adoptedStyleSheets = wanted;
    }
    for (const element of document.querySelectorAll('[style]:not([style=""])')) {
      if (element.style.length === 0) element.style.cssText = element.getAttribute('style');
    }
  };
  const changes = { subtree: true, childList: true, characterData: true, attributeFilter: ['style'] };
  new MutationObserver(apply).observe(document, changes);
}
`;

/** Opens the reference in the page. */
export function startScript(configuration: object): string {
  return `Scalar.createApiReference('#app', ${JSON.stringify(configuration, null, 2)});\n`;
}
