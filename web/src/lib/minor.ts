/** Returns minor units as decimal text: 1250 with two decimals is `12.50`. */
export function fromMinor(amount: number, decimals: number): string {
  if (decimals <= 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return amount < 0 ? `-${whole}` : whole;
}
