import { encode } from 'uqr';

import styles from './QrCode.module.css';

export type QrCodeProps = {
  text: string;
  label: string;
  size?: number;
};

/** The quiet zone, in modules. */
const border = 4;

/** A QR code. Always dark on white, because some readers cannot read inverted codes. */
export function QrCode({ text, label, size = 220 }: QrCodeProps) {
  const { edge, path } = drawQr(text);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${edge} ${edge}`}
      shapeRendering="crispEdges"
      className={styles.code}
    >
      <rect width={edge} height={edge} className={styles.light} />
      <path d={path} className={styles.dark} />
    </svg>
  );
}

/** Returns a code as an SVG path, and its edge in modules. */
export function drawQr(text: string): { edge: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { edge: size, path };
}
