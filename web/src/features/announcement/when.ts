import type { Language } from '../../i18n/languages.ts';

const tags: Record<Language, string> = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' };

const day = 86_400_000;

/** Vietnamese writes a day in figures with strokes between them. */
const dayTags: Record<Language, string> = { ...tags, vi: 'en-GB' };

function write(at: number, language: Language, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(dayTags[language], { numberingSystem: 'latn', ...options }).format(
    at,
  );
}

/** English alone names the month: its readers disagree on whether 12/01 is in January. */
const dayAndMonth = (language: Language): Intl.DateTimeFormatOptions =>
  language === 'en' ? { day: 'numeric', month: 'short' } : { day: '2-digit', month: '2-digit' };

/** A day in full. */
export function dayOf(at: number, language: Language): string {
  return write(at, language, { ...dayAndMonth(language), year: 'numeric' });
}

/** How long ago something was said: minutes, then the hour of today, yesterday, the day. */
export function whenOf(at: number, language: Language, now: number = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  const relative = new Intl.RelativeTimeFormat(tags[language], { numeric: 'auto' });
  if (minutes >= 0 && minutes < 60) return latin(relative.format(-minutes, 'minute'));
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (at >= today && at < today + day) {
    return write(at, language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  }
  // A day may be an hour longer or shorter than others.
  if (at >= today - day && at < today) return relative.format(-1, 'day');
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return sameYear ? write(at, language, dayAndMonth(language)) : dayOf(at, language);
}

/** Digits are Western in every language. */
function latin(text: string): string {
  return text.replaceAll(/[۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0));
}
