/** Copies a text. Tells whether it could: browsers refuse it on pages that are not secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
