// Formats times, given in Unix milliseconds, in the member's time zone and with Western digits in every language.

const tags: Record<string, string> = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' };

/** Vietnamese dates use slashes, which vi-VN formats with hyphens. */
const dayTags: Record<string, string> = { ...tags, vi: 'en-GB' };

export const dayMs = 86_400_000;

export type TimeRange = { from: number; to: number };

export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Formats a date and a time of 24 hours. */
export function formatTime(at: number, language: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  }).format(at);
}

export function formatDay(at: number, language: string): string {
  return format(at, language, { ...dayAndMonth(language), year: 'numeric' });
}

/** Formats a date without its year. */
export function formatShortDay(at: number, language: string): string {
  return format(at, language, dayAndMonth(language));
}

/** Formats a time of 24 hours. */
export function formatClock(at: number, language: string): string {
  return format(at, language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Formats a past time as minutes ago, as a time of today, as yesterday, or as a date. */
export function formatRelative(at: number, language: string, now: number = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  const relative = new Intl.RelativeTimeFormat(tags[language], { numeric: 'auto' });
  if (minutes >= 0 && minutes < 60) return withWesternDigits(relative.format(-minutes, 'minute'));
  const today = startOfDay(now);
  if (at >= today && at < today + dayMs) return formatClock(at, language);
  if (at >= today - dayMs && at < today) return relative.format(-1, 'day');
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return sameYear ? formatShortDay(at, language) : formatDay(at, language);
}

/** Formats a remaining time as `m:ss` or `h:mm:ss`. Past times show `0:00`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** Returns the range from the given number of days ago until the end of today. */
export function daysBack(days: number, now: number): TimeRange {
  const start = new Date(startOfDay(now));
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  start.setDate(start.getDate() - days);
  return { from: start.getTime(), to: end.getTime() - 1 };
}

/**
 * Returns the range of two days as date inputs have them (`2026-11-17`). Returns null when a day is missing, the order is wrong, or
 * there are more than `maxDays` days.
 */
export function rangeOfDays(from: string, to: string, maxDays: number): TimeRange | null {
  const start = new Date(`${from}T00:00:00`).getTime();
  const end = new Date(`${to}T00:00:00`);
  end.setDate(end.getDate() + 1);
  const last = end.getTime() - 1;
  // An hour of tolerance, because a range may contain a day of 25 hours.
  if (!(start <= last) || last - start > maxDays * dayMs + dayMs / 24) return null;
  return { from: start, to: last };
}

/** Returns a day as a date input has it: `2026-11-17`. */
export function toDayInput(at: number): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
}

const pad = (part: number): string => String(part).padStart(2, '0');

function format(at: number, language: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(dayTags[language], { numberingSystem: 'latn', ...options }).format(
    at,
  );
}

/** English dates name the month, because 12/01 is ambiguous. */
const dayAndMonth = (language: string): Intl.DateTimeFormatOptions =>
  language === 'en' ? { day: 'numeric', month: 'short' } : { day: '2-digit', month: '2-digit' };

function withWesternDigits(text: string): string {
  return text.replaceAll(/[۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0));
}
