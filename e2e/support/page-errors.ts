import { expect, type Page } from '@playwright/test';

/** Records the unhandled errors of a page and its violations of the content security policy. Returns a function that expects none. */
export function watchErrors(page: Page): () => void {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && isUnexpected(message.text())) errors.push(message.text());
  });
  return () => expect(errors, 'the page reported errors').toEqual([]);
}

/** Reports whether a console error is unexpected. Failed requests may be part of a test. The sandbox of a preview stops scripts. */
function isUnexpected(text: string): boolean {
  return !/Failed to load resource|net::ERR_|LoadFailure|^Blocked script execution in 'blob:/.test(
    text,
  );
}
