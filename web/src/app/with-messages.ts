import { loadScreenMessages } from '../i18n/runtime.ts';

/** Loads code together with the messages of its feature, or only the shared ones. */
export async function withMessages<M>(code: Promise<M>, feature?: string): Promise<M> {
  const [module] = await Promise.all([code, loadScreenMessages(feature)]);
  return module;
}
