/** Day and time of 24 hours in a language's own order, with digits that everyone reads. Unix milliseconds. */
export function formatTime(at: number, language: string): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  }).format(at);
}
