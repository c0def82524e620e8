// The warning about a round that differs from the commitment that this browser had received, or from the client seed that it sent.
import {
  type BrokenPromise,
  findPromise,
  rememberPromise,
  type RoundCommitment,
} from '../../src/lib/round-promise.ts';
import { brokenPromiseText } from '../kit/proof-sheet.ts';
import type { Round } from './session.ts';

/** Shows the warning until the page closes. A later round that differs replaces it. */
export class PromiseWarning {
  readonly #show: (text: string) => void;
  #shown: { nonce: number; broken: BrokenPromise } | null = null;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  /** Compares a round with what this browser had received and sent before the spin. */
  checkPlayed(round: Round, sent: RoundCommitment): void {
    this.#set(round, rememberPromise(round.id, sent, round));
  }

  /** Compares a round from before a reload, if it was played in this browser. */
  checkResumed(round: Round): void {
    this.#set(round, findPromise(round.id, round)?.broken ?? null);
  }

  updateText(): void {
    if (this.#shown) this.#show(brokenPromiseText(this.#shown.broken, this.#shown.nonce));
  }

  #set({ nonce }: Round, broken: BrokenPromise | null): void {
    if (!broken) return;
    this.#shown = { nonce, broken };
    this.updateText();
  }
}
