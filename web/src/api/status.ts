/** The state of the whole site. */
export type SystemState = 'normal' | 'ipBlock' | 'maintenance' | 'regionBlock';

/** The two numberings of `systemStatus`. The settings name the server's. */
type StatusReading = 'a' | 'b';

const readings: Record<StatusReading, readonly SystemState[]> = {
  a: ['normal', 'ipBlock', 'maintenance'],
  b: ['normal', 'maintenance', 'regionBlock'],
};

/**
 * Decodes systemStatus. An unknown number is shown as maintenance, never as normal.
 */
export function decodeStatus(status: number, reading: string | undefined): SystemState {
  const known = reading === 'b' ? readings.b : readings.a;
  return known[status] ?? 'maintenance';
}
