// What a frame that was opened or reloaded does with what the server knows. It only ever looks: a stake that may or may
// not have been taken is never placed again (PP-15).
import type { Round } from './session.ts';

export type Resume =
  /** A round is not settled yet: its result is waited for. */
  | { kind: 'wait' }
  /** A round ended that was not shown: its result is told, without celebration. */
  | { kind: 'tell'; round: Round }
  /** Nothing is owed to the player; the reels stand where they stood. */
  | { kind: 'rest'; round: Round | null };

export function resumeOf(
  known: { open: Round | object | null; last: Round | null },
  shown: string | null,
): Resume {
  if (known.open) return { kind: 'wait' };
  const { last } = known;
  if (last && last.spins.length > 0 && last.id !== shown) return { kind: 'tell', round: last };
  return { kind: 'rest', round: last };
}
