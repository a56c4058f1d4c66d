import { crc32, deflateSync } from 'node:zlib';
import { markPath } from '../src/symbols/mark-path.ts';

type Point = readonly [number, number];
type Color = readonly [number, number, number];
type Icon = { readonly size: number; readonly mark: Color; readonly ground: Color | undefined };

const ink: Color = [0x1b, 0x1d, 0x1f];
const paper: Color = [0xf4, 0xf4, 0xf2];
const grid = 32;
/** The part of the picture that the mark takes: launchers cut up to a fifth off each side. */
const share = 0.62;
const curveSteps = 24;
/** Lines per pixel. */
const samples = 8;

const icons: Readonly<Record<string, Icon>> = {
  'icons/icon-180.png': { size: 180, mark: paper, ground: ink },
  'icons/icon-192.png': { size: 192, mark: paper, ground: ink },
  'icons/icon-512.png': { size: 512, mark: paper, ground: ink },
  // Android draws it in the colour of its status bar, so only its opacity counts.
  'icons/badge-96.png': { size: 96, mark: [255, 255, 255], ground: undefined },
};

/** The icons of the page for telephones, drawn from the mark. */
export function drawIcons(): { readonly name: string; readonly content: Buffer }[] {
  const outline = readPath(markPath);
  return Object.entries(icons).map(([name, icon]) => ({ name, content: draw(outline, icon) }));
}

/** Reads the commands of SVG that the mark uses; curves become short lines. */
function readPath(path: string): Point[][] {
  const outlines: Point[][] = [];
  let at: Point = [0, 0];
  for (const [, command = '', rest = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = [...rest.matchAll(/-?\d*\.?\d+/g)].map(Number);
    const points = pointsOf(command, numbers, at);
    const outline = outlines.at(-1);
    if (command.toLowerCase() === 'm') outlines.push(points);
    else if (command.toLowerCase() === 'z') at = outline?.[0] ?? at;
    else outline?.push(...points);
    at = points.at(-1) ?? at;
  }
  return outlines;
}

function pointsOf(command: string, numbers: readonly number[], [x, y]: Point): Point[] {
  const [baseX, baseY] = command === command.toLowerCase() ? [x, y] : [0, 0];
  const [first = 0] = numbers;
  switch (command.toLowerCase()) {
    case 'h':
      return [[baseX + first, y]];
    case 'v':
      return [[x, baseY + first]];
    case 'c':
      return curve([x, y], pairs(numbers, [baseX, baseY]));
    default:
      return pairs(numbers, [baseX, baseY]);
  }
}

function pairs(numbers: readonly number[], [baseX, baseY]: Point): Point[] {
  const points: Point[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2)
    points.push([baseX + (numbers[index] ?? 0), baseY + (numbers[index + 1] ?? 0)]);
  return points;
}

function curve(from: Point, [one = from, two = from, to = from]: readonly Point[]): Point[] {
  return Array.from({ length: curveSteps }, (_, index) => {
    const t = (index + 1) / curveSteps;
    const u = 1 - t;
    const blend = (axis: 0 | 1) =>
      u ** 3 * from[axis] + 3 * u * u * t * one[axis] + 3 * u * t * t * two[axis] + t ** 3 * to[axis];
    return [blend(0), blend(1)];
  });
}

function draw(outlines: readonly (readonly Point[])[], { size, mark, ground }: Icon): Buffer {
  const scale = (size * share) / grid;
  const shift = (size - grid * scale) / 2;
  const edges = outlines.flatMap((points) =>
    points.map((point, index) => [point, points[(index + 1) % points.length] ?? point] as const),
  );
  // Each line of the picture begins with the kind of its filter: none.
  const rows = Buffer.alloc(size * (1 + size * 4));
  for (let y = 0; y < size; y++) {
    const cover = coverOf(edges, { size, y, scale, shift });
    for (let x = 0; x < size; x++) {
      const part = cover[x] ?? 0;
      const color = ground ? ground.map((base, i) => base + ((mark[i] ?? 0) - base) * part) : mark;
      const pixel = [...color, ground ? 255 : 255 * part].map(Math.round);
      rows.set(pixel, y * (1 + size * 4) + 1 + x * 4);
    }
  }
  return png(size, rows);
}

type Line = { readonly size: number; readonly y: number; readonly scale: number; readonly shift: number };

/** How much of each pixel of a line is inside, by the even-odd rule. */
function coverOf(edges: readonly (readonly [Point, Point])[], { size, y, scale, shift }: Line): Float64Array {
  const cover = new Float64Array(size);
  for (let sample = 0; sample < samples; sample++) {
    const level = (y + (sample + 0.5) / samples - shift) / scale;
    const crossings = edges
      .filter(([[, y1], [, y2]]) => y1 <= level !== y2 <= level)
      .map(([[x1, y1], [x2, y2]]) => (x1 + ((level - y1) / (y2 - y1)) * (x2 - x1)) * scale + shift)
      .toSorted((one, other) => one - other);
    for (let index = 0; index + 1 < crossings.length; index += 2)
      addSpan(cover, crossings[index] ?? 0, crossings[index + 1] ?? 0);
  }
  return cover.map((sum) => sum / samples);
}

function addSpan(cover: Float64Array, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x++)
    cover[x] = (cover[x] ?? 0) + Math.max(0, Math.min(to, x + 1) - Math.max(from, x));
}

function png(size: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // Eight bits for each of red, green, blue and opacity.
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
