/** Returns the URL of a generated picture. */
export function artUrl(path: string): string {
  return `${import.meta.env.BASE_URL}art/${path}`;
}
