/** Whether an icon on the home screen of iOS opened the app. Safari tells it by a property of its own. */
export const onHomeScreen = (): boolean =>
  'standalone' in navigator && navigator.standalone === true;

/** Whether the app runs installed, in a window of its own. */
export function isStandalone(): boolean {
  return onHomeScreen() || window.matchMedia('(display-mode: standalone)').matches;
}
