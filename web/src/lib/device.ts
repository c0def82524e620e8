/** The kind of device, which decides how to install the app. */
export type Device = 'ios' | 'android' | 'other';

/** Guesses the device from the user agent. An iPad reports itself as a Mac, but has touch. */
export function deviceOf({ userAgent, maxTouchPoints }: Navigator = navigator): Device {
  if (/iP(?:hone|ad|od)/.test(userAgent)) return 'ios';
  if (userAgent.includes('Macintosh') && maxTouchPoints > 1) return 'ios';
  return userAgent.includes('Android') ? 'android' : 'other';
}
