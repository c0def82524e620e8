// The sheet that checks a round from its published seed, without leaving the game.
import { t } from '@lingui/core/macro';

import { commitmentOf, parseSeed, Stream } from '../../src/lib/fairness.ts';
import {
  type BrokenPromise,
  findPromise,
  type RoundCommitment,
} from '../../src/lib/round-promise.ts';
import { sendToApp } from './bridge.ts';
import { el } from './dom.ts';
import { valueRows } from './fairness-section.ts';
import { openSheet } from './sheet.ts';

export type ProvenRound = RoundCommitment & { id: string; seed: string | null };

/** Draws a round's result from its stream. Reports whether it is the shown one. */
export type Recompute = (stream: Stream) => Promise<boolean>;

type Verdict = { seed: boolean; result: boolean };

export async function checkRound(
  { seed, commitment, clientSeed, nonce }: ProvenRound,
  recompute: Recompute,
): Promise<Verdict> {
  const bytes = parseSeed(seed ?? '');
  if (!bytes || (await commitmentOf(bytes)) !== commitment) return { seed: false, result: false };
  return { seed: true, result: await recompute(new Stream(bytes, clientSeed, nonce)) };
}

/** Opens the proof of a round that `find` looks up. If it finds none, the app opens the full check. */
export async function openProofOf(roundId: string, find: () => Promise<(() => void) | undefined>) {
  const open = await find().catch(() => undefined);
  if (open) open();
  else sendToApp({ type: 'proof', roundId });
}

export function openProof(
  round: ProvenRound,
  recompute: Recompute,
  clientSeedLabel = t`Client seed`,
): void {
  const { id, nonce, commitment, seed, clientSeed } = round;
  const { body } = openSheet(t`Check round ${nonce}`);
  const verdict = el('p', { class: 'fact', role: 'status' }, t`Checking…`);
  const known = findPromise(id, round);
  const full = el('button', { type: 'button', class: 'act' }, t`Open the full check`);
  full.addEventListener('click', () => sendToApp({ type: 'proof', roundId: id }));
  body.append(
    verdict,
    el(
      'dl',
      { class: 'seals' },
      ...valueRows(t`Commitment (SHA-256)`, commitment),
      ...valueRows(t`Seed`, seed ?? ''),
      ...valueRows(t`Number (nonce)`, String(nonce)),
      ...valueRows(clientSeedLabel, clientSeed),
      ...(known?.broken ? promiseRows(known.promise) : []),
    ),
    full,
  );
  if (known?.broken) {
    verdict.dataset.ok = 'false';
    verdict.dataset.broken = 'true';
    verdict.textContent = brokenPromiseText(known.broken, nonce);
  } else void showVerdict();

  async function showVerdict(): Promise<void> {
    const none: Verdict = { seed: false, result: false };
    const found = await checkRound(round, recompute).catch(() => none);
    verdict.dataset.ok = String(found.seed && found.result);
    verdict.textContent = verdictText(found);
  }
}

/** The values that this browser had before the spin. */
const promiseRows = ({ commitment, clientSeed, nonce }: RoundCommitment): Node[] => [
  ...valueRows(t`Commitment before the spin`, commitment),
  ...valueRows(t`Number (nonce) before the spin`, String(nonce)),
  ...valueRows(t`Client seed that this browser sent`, clientSeed),
];

/** Warns about a round that differs from what this browser had received and sent before the spin. */
export function brokenPromiseText(broken: BrokenPromise, nonce: number): string {
  return broken === 'commitment'
    ? t`Round ${nonce} does not match the promise that the server made before the spin. Its result is not proven fair.`
    : t`Round ${nonce} used another client seed than this browser sent. If you did not change your seed in another window, its result is not proven fair.`;
}

/** A result may come from an earlier version of the game, which only the full check knows. */
function verdictText({ seed, result }: Verdict): string {
  if (!seed) return t`The seed does not match the commitment. Open the full check.`;
  return result
    ? t`Correct: the seed matches the commitment, and the result follows from it.`
    : t`The seed matches the commitment. The result could not be recomputed here. Open the full check.`;
}
