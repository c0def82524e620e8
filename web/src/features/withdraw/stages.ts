import type { Withdrawal, WithdrawalStatus } from '../../api/withdrawals.ts';

export type StageName = 'requested' | 'check' | 'sent' | 'paid';

/** A part of a withdrawal's way. `at` is when it ended, or when the current one began. */
export type Stage = {
  name: StageName;
  state: 'done' | 'now' | 'failed' | 'later';
  at?: number;
};

/** The status that ends each stage. */
const ends: readonly [StageName, WithdrawalStatus][] = [
  ['requested', 'REQUESTED'],
  ['check', 'APPROVED'],
  ['sent', 'SENT'],
  ['paid', 'PAID'],
];

/** Returns the stages of a withdrawal. Those after a refusal or a failure are left out. */
export function stagesOf({ status, steps }: Pick<Withdrawal, 'status' | 'steps'>): Stage[] {
  const times = new Map(steps.map((step) => [step.status, step.at]));
  const isReturned = status === 'REFUSED' || status === 'FAILED';
  // A bank can report a payment before the gateway reports that it was sent.
  const last =
    status === 'PAID' ? ends.length - 1 : ends.findLastIndex(([, end]) => times.has(end));
  const out: Stage[] = [];
  for (const [i, [name, end]] of ends.entries()) {
    const at = times.get(end);
    if (i <= last) out.push({ name, state: 'done', ...(at !== undefined && { at }) });
    else if (i === last + 1) {
      const since = times.get(isReturned ? status : 'REVIEW');
      const hasTime = since !== undefined && (isReturned || name === 'check');
      out.push({ name, state: isReturned ? 'failed' : 'now', ...(hasTime && { at: since }) });
    } else if (!isReturned) out.push({ name, state: 'later' });
  }
  return out;
}
