// A short knock in the hand when a round is taken, and at no other time.

let wanted = true;

export function setHaptics(on: boolean): void {
  wanted = on;
}

export function knock(): void {
  if (wanted && 'vibrate' in navigator) navigator.vibrate(10);
}
