// Times of the input type datetime-local, in the time zone of the browser.

const pad = (part: number): string => String(part).padStart(2, '0');

/** Formats Unix milliseconds. No time is an empty text. */
export function formatLocal(ms: number): string {
  if (!ms) return '';
  const at = new Date(ms);
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** Returns Unix milliseconds, or 0 for an empty or incomplete text. */
export function parseLocal(text: string): number {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? 0 : ms;
}
