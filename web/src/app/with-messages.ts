import { screenMessages } from '../i18n/runtime.ts';

/** Code together with the words that home does without. */
export async function withMessages<M>(code: Promise<M>): Promise<M> {
  const [module] = await Promise.all([code, screenMessages()]);
  return module;
}
