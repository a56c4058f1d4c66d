/** Linear red, green and blue, each from 0 to 1. */
type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const channel = (hex: string, at: number) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
const toRgb = (hex: string): Rgb => [channel(hex, 1), channel(hex, 3), channel(hex, 5)];
const dot = (a: Rgb, b: Rgb) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const luminances = [a, b].map((hex) => dot(toRgb(hex), [0.2126, 0.7152, 0.0722]));
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** How people see colours: Machado, Oliveira and Fernandes 2009, severity 1. */
const visions = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} satisfies Record<string, Matrix>;
export type Vision = keyof typeof visions;
export const visionNames = Object.keys(visions) as Vision[];

/** Lightness and the two axes of CIE 1976 L*a*b*, for daylight D65. */
function toLab(rgb: Rgb): Rgb {
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = root(dot(rgb, [0.4124, 0.3576, 0.1805]) / 0.95047);
  const y = root(dot(rgb, [0.2126, 0.7152, 0.0722]));
  const z = root(dot(rgb, [0.0193, 0.1192, 0.9505]) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function seen(hex: string, vision: Vision): Rgb {
  const rgb = toRgb(hex);
  const [red, green, blue]: Matrix = visions[vision];
  const clamped = (row: Rgb) => Math.min(1, Math.max(0, dot(row, rgb)));
  return toLab([clamped(red), clamped(green), clamped(blue)]);
}

/** How different two colours look (ΔE 1976) to somebody with this vision. */
export function distance(a: string, b: string, vision: Vision): number {
  const [first, second] = [seen(a, vision), seen(b, vision)];
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}
