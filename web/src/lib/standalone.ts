/** Reports whether the app was opened from an iOS home screen icon. */
export const onHomeScreen = (): boolean =>
  'standalone' in navigator && navigator.standalone === true;

/** Reports whether the app runs installed, in its own window. */
export function isStandalone(): boolean {
  return onHomeScreen() || window.matchMedia('(display-mode: standalone)').matches;
}
