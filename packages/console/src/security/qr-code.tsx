import { encode } from 'uqr';

/** Light modules around the code, which scanners need. */
const border = 4;

/** The dark modules as one path: a square of one unit for each. */
export const qrPath = (data: readonly (readonly boolean[])[]): string =>
  data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

/** A QR code, dark on light in both themes, because not every scanner reads an inverted one. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  return (
    <svg className="qrcode" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} />
      <path d={qrPath(data)} />
    </svg>
  );
}
