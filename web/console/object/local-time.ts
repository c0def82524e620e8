// Times of the input type datetime-local, in the time zone of the browser.

const pad = (part: number): string => String(part).padStart(2, '0');

/** Formats Unix milliseconds. Without a time it returns an empty text. */
export function formatLocal(ms: number): string {
  if (!ms) return '';
  const date = new Date(ms);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Returns Unix milliseconds, or 0 for an empty or incomplete text. */
export function parseLocal(text: string): number {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? 0 : ms;
}
