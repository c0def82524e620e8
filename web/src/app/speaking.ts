import { furtherMessages } from '../i18n/runtime.ts';

/** Code together with the words that home does without. */
export async function speaking<M>(code: Promise<M>): Promise<M> {
  const [module] = await Promise.all([code, furtherMessages()]);
  return module;
}
