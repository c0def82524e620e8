/**
 * Reads an amount as people type one, with or without signs between the thousands: decimal text, or null where it is
 * none. The last sign is the decimal one where no more digits follow it than the currency has.
 */
export function readAmount(typed: string, decimals: number): string | null {
  const text = typed.replaceAll(/[\s\u00A0\u202F'’]/g, '');
  if (!/^\d[\d.,]*$/.test(text) || /[.,]{2}/.test(text)) return null;
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const after = at === -1 ? 0 : text.length - at - 1;
  const parted = at !== -1 && decimals > 0 && after <= decimals;
  const whole = (parted ? text.slice(0, at) : text)
    .replaceAll(/[.,]/g, '')
    .replace(/^0+(?=\d)/, '');
  // Signs between thousands have three digits after them.
  const groups = (parted ? text.slice(0, at) : text).split(/[.,]/).slice(1);
  if (groups.some((group) => group.length !== 3)) return null;
  const fraction = parted ? text.slice(at + 1) : '';
  return fraction ? `${whole}.${fraction}` : whole;
}
