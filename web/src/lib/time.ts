// Dates and times as text: in the language's order, the reader's time zone, Western digits.

const tags: Record<string, string> = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' };
const formats = new Map<string, Intl.DateTimeFormat>();

type Style = 'date' | 'dateTime';

const styles: Record<Style, Intl.DateTimeFormatOptions> = {
  date: { day: '2-digit', month: '2-digit', year: 'numeric' },
  dateTime: {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
};

/** The day of a moment given in milliseconds since 1970. */
export function formatDate(at: number, language: string, timeZone?: string): string {
  return format('date', at, language, timeZone);
}

/** The day and the time of a moment given in milliseconds since 1970. */
export function formatDateTime(at: number, language: string, timeZone?: string): string {
  return format('dateTime', at, language, timeZone);
}

function format(style: Style, at: number, language: string, timeZone?: string): string {
  const key = `${style} ${language} ${timeZone ?? ''}`;
  let made = formats.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(tags[language] ?? 'en-GB', {
      ...styles[style],
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone,
    });
    formats.set(key, made);
  }
  return made.format(at);
}
