/** Returns a text in lower case without accents, with single spaces between words. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim();
