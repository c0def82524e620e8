import { i18n, type MessageDescriptor } from '@lingui/core';

import { errorMessages } from './errors.ts';

/**
 * What is said about an error, by its code, or nothing where the code is not known. As shipped, the catalogue in use
 * knows them all, so that the list of them is left out; while developing and in tests the source texts stand in.
 */
export function errorMessage(code: string): MessageDescriptor | undefined {
  const id = `errors.${code}`;
  if (!import.meta.env.PROD) return errorMessages[code];
  return Object.hasOwn(i18n.messages, id) ? { id } : undefined;
}
