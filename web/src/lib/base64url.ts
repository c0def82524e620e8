// Bytes as text that may stand anywhere: in addresses, in storage, in tokens.

export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCodePoint(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Throws where the text is none of those. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.codePointAt(0)!);
}
