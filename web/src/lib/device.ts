/** What installing depends on. */
export type Device = 'ios' | 'android' | 'other';

/** What the member holds, as far as it tells. A tablet of the same maker passes for a desktop, but for its touch. */
export function deviceOf({ userAgent, maxTouchPoints }: Navigator = navigator): Device {
  if (/iP(?:hone|ad|od)/.test(userAgent)) return 'ios';
  if (userAgent.includes('Macintosh') && maxTouchPoints > 1) return 'ios';
  return userAgent.includes('Android') ? 'android' : 'other';
}
