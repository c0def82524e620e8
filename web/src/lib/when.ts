/** Day and time of 24 hours in a language's own order, with digits that everyone reads. Unix milliseconds. */
export function formatTime(at: number, language: string): string {
  // The day stands before the month in every language, in English too.
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  }).format(at);
}
