/** Whether the app runs installed, in a window of its own. */
export function isStandalone(): boolean {
  // Safari on iOS tells it by a property of its own.
  const ios = 'standalone' in navigator && navigator.standalone === true;
  return ios || window.matchMedia('(display-mode: standalone)').matches;
}
