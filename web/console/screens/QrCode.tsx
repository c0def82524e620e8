import { encode } from 'uqr';

import styles from './QrCode.module.css';

/** A QR code with the blank border that scanners need, dark on light in both themes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className={styles.code}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
