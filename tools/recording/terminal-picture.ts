import { stripVTControlCharacters } from 'node:util';
import type { Line } from './terminal-lines.ts';

const lineHeight = 19;
const characterWidth = 8.02;
const margin = 18;
const top = 40;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Bold text is the only style of the demo; other codes are left out. */
function spans(text: string): string {
  return stripVTControlCharacters(
    escaped(text).replaceAll('\u001B[1m', '<tspan font-weight="700">').replaceAll('\u001B[22m', '</tspan>'),
  );
}

/** A picture of the terminal in which the lines appear when they did. Readers who want no motion see all of them. */
export function terminalPicture(lines: readonly Line[], columns: number): string {
  const width = Math.ceil(columns * characterWidth + 2 * margin);
  const height = top + lines.length * lineHeight + margin;
  const rows = lines.map(({ seconds, text }, index) => {
    const y = top + (index + 1) * lineHeight - 5;
    return `<text class="l" x="${margin}" y="${y}" style="animation-delay:${seconds.toFixed(2)}s">${spans(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="tocsin demo in a terminal">
<style>
text{font:13.3px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#eef0f1;white-space:pre}
.l{opacity:0;animation:s .01s linear forwards}
@keyframes s{to{opacity:1}}
@media (prefers-reduced-motion:reduce){.l{opacity:1;animation:none}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#23272b"/>
<rect width="${width}" height="28" rx="8" fill="#1a1d20"/>
<text x="${margin}" y="19" fill="#a9b1b8">npx tocsin demo</text>
${rows.join('\n')}
</svg>
`;
}
