/** What the whole app shows, as decided by the server. */
export type SystemState = 'normal' | 'ipBlock' | 'maintenance' | 'regionBlock';

/** The two ways gateways number their states; the settings say which one this server uses. */
type StatusReading = 'a' | 'b';

const readings: Record<StatusReading, readonly SystemState[]> = {
  a: ['normal', 'ipBlock', 'maintenance'],
  b: ['normal', 'maintenance', 'regionBlock'],
};

/**
 * Decodes systemStatus. A number that the reading does not know is taken as maintenance: the server
 * has said that things are not normal, and the app must not pretend that they are.
 */
export function decodeStatus(status: number, reading: string | undefined): SystemState {
  const known = reading === 'b' ? readings.b : readings.a;
  return known[status] ?? 'maintenance';
}
