let enabled = true;

export function setHaptics(on: boolean): void {
  enabled = on;
}

export function vibrate(): void {
  if (enabled && 'vibrate' in navigator) navigator.vibrate(10);
}
