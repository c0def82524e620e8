/**
 * Reads a typed amount with or without thousands separators. Returns decimal text, or null. The last separator is the decimal point when
 * at most as many digits follow it as the currency has decimals.
 */
export function readAmount(typed: string, decimals: number): string | null {
  const text = narrow(typed).replaceAll(/[\s\u00A0\u202F'’]/g, '');
  if (!/^\d[\d.,]*$/.test(text) || /[.,]{2}/.test(text)) return null;
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const after = at === -1 ? 0 : text.length - at - 1;
  const parted = at !== -1 && decimals > 0 && after <= decimals;
  const whole = (parted ? text.slice(0, at) : text)
    .replaceAll(/[.,]/g, '')
    .replace(/^0+(?=\d)/, '');
  // Thousands separators have three digits after them.
  const groups = (parted ? text.slice(0, at) : text).split(/[.,]/).slice(1);
  if (groups.some((group) => group.length !== 3)) return null;
  const fraction = parted ? text.slice(at + 1) : '';
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Replaces full-width digits, commas and points, which keyboards of East Asia write. */
const narrow = (text: string): string =>
  text.replaceAll(/[\uFF10-\uFF19\uFF0C\uFF0E]/g, (wide) =>
    String.fromCodePoint(wide.charCodeAt(0) - 0xfee0),
  );
