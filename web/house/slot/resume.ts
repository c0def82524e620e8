// What to do after a reload. A stake is never placed again (PP-15).
import type { Round } from './session.ts';

export type ResumeAction =
  /** Wait for the open round. */
  | { kind: 'wait' }
  /** Show the missed result, without celebration. */
  | { kind: 'show'; round: Round }
  /** The last result was already shown. */
  | { kind: 'idle'; round: Round | null };

export function resumeAction(
  server: { open: Round | object | null; last: Round | null },
  shown: string | null,
): ResumeAction {
  if (server.open) return { kind: 'wait' };
  const { last } = server;
  if (last && last.spins.length > 0 && last.id !== shown) return { kind: 'show', round: last };
  return { kind: 'idle', round: last };
}
