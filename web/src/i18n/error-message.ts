import { i18n, type MessageDescriptor } from '@lingui/core';

import { errorMessages } from './errors.ts';

/**
 * Returns the message of an error code, if there is one. In production the list of messages is not bundled, because the loaded catalogue
 * contains them. During development and in tests it returns the source text.
 */
export function errorMessage(code: string): MessageDescriptor | undefined {
  const id = `errors.${code}`;
  if (!import.meta.env.PROD) return errorMessages()[code];
  return Object.hasOwn(i18n.messages, id) ? { id } : undefined;
}
