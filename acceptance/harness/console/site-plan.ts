import type { Browser } from 'playwright-core';
import { create, granted, type Plant } from '../plant.ts';
import type { Waterworks } from './waterworks.ts';

const drawing = `<body style="margin:0;background:#fff"><svg width="728" height="340" viewBox="0 0 364 170">
  <path fill="#ccc" d="M-2 140c32-8 38-36 30-66S18 18 32-2H-2z"/>
  <path fill="#f2f2f2" stroke="#666" stroke-dasharray="4 3" d="M40 6h320v160H56c-12-26 6-56-2-90S34 32 40 6z"/>
  <g fill="#fff" stroke="#666"><rect x="62" y="46" width="30" height="24"/><rect x="112" y="30" width="42" height="56"/>
  <rect x="176" y="26" width="54" height="68"/><rect x="254" y="26" width="36" height="28"/><rect x="254" y="66" width="36" height="28"/>
  <circle cx="330" cy="58" r="21"/><rect x="304" y="112" width="48" height="26"/><rect x="214" y="114" width="42" height="24"/></g>
  <path fill="none" stroke="#444" d="M24 58h38M92 58h20M154 58h22M230 40h24M230 80h24M290 40h8v40h-8M298 58h11M330 79v33M235 114v-10h37v-10"/>
  <g font-family="sans-serif" font-size="10"><text x="62" y="40">Intake</text><text x="186" y="20">Filters</text>
  <text x="254" y="20">CT 1</text><text x="254" y="108">CT 2</text><text x="308" y="152">High lift</text></g></svg>`;

/** A plan of the works as a picture file, drawn by the browser. */
async function drawPlan(browser: Browser): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 728, height: 340 } });
  await page.setContent(drawing);
  const picture = await page.screenshot({ type: 'png' });
  await page.close();
  return picture.toString('base64');
}

export type Position = {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly tagId?: number | undefined;
  readonly beaconId?: string;
};

/** Puts tags and beacons on a plan of the waterworks. */
export async function addSitePlan(
  browser: Browser,
  { client }: Plant,
  { stationId }: Waterworks,
  positions: readonly Position[],
): Promise<void> {
  const content = await drawPlan(browser);
  await create(client, 'mediafiles', { name: 'valmont.png', contentType: 'image/png', content });
  const plan = { name: 'Valmont works', image: 'valmont.png', positions };
  granted(await client.post(`/api/v1/stations/${stationId}/plans`, plan));
}
