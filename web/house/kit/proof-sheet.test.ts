// @vitest-environment jsdom
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import rounds from '../../../internal/game/house/testdata/tables.vectors.json';
import { commitmentOf, parseSeed } from '../../src/lib/fairness.ts';
import { rememberPromise } from '../../src/lib/round-promise.ts';
import { setLanguage } from './language.ts';
import { checkRound, openProof, openProofOf } from './proof-sheet.ts';

const [round] = rounds;
const proven = async () => ({
  ...round!,
  id: '7',
  commitment: await commitmentOf(parseSeed(round!.seed)!),
});

beforeAll(() => setLanguage('en'));
beforeEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
});

test('PP-17 (client) a seed that does not match its commitment is reported', async () => {
  const right = await proven();
  const found = (change: object) =>
    checkRound({ ...right, ...change }, () => Promise.resolve(true));
  expect(await found({})).toEqual({ seed: true, result: true });
  expect(await found({ commitment: 'ab'.repeat(32) })).toEqual({ seed: false, result: false });
  expect(await found({ seed: null })).toEqual({ seed: false, result: false });
});

test('PP-17 (client) the proof opens inside the game and links to the full check', async () => {
  HTMLDialogElement.prototype.showModal = () => {}; // missing in jsdom
  const sent: unknown[] = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  const right = await proven();
  openProof(right, () => Promise.resolve(true));
  const verdict = document.querySelector('[role=status]')!;
  await vi.waitUntil(() => verdict.textContent?.startsWith('Correct'), { timeout: 60_000 });
  const values = [...document.querySelectorAll('.seal')].map((value) => value.textContent);
  expect(values).toEqual([right.commitment, right.seed, '1', right.clientSeed]);
  expect(sent).not.toContainEqual(expect.objectContaining({ type: 'proof' }));
  document.querySelector<HTMLElement>('.act')!.click();
  expect(sent.at(-1)).toEqual({ fairground: 1, type: 'proof', roundId: '7' });
});

test('PP-17 (client) a round that cannot be looked up opens the full check', async () => {
  const sent: unknown[] = [];
  const parent = { postMessage: (message: unknown) => sent.push(message) };
  vi.spyOn(window, 'parent', 'get').mockReturnValue(parent as unknown as Window);
  const open = vi.fn();
  await openProofOf('7', () => Promise.resolve(open));
  expect(open).toHaveBeenCalledOnce();
  expect(sent).toEqual([]);
  await openProofOf('8', () => Promise.reject(new Error('no network')));
  await openProofOf('9', () => Promise.resolve(undefined));
  expect(sent).toEqual([
    { fairground: 1, type: 'proof', roundId: '8' },
    { fairground: 1, type: 'proof', roundId: '9' },
  ]);
});

test.each([
  ['commitment', { commitment: 'ab'.repeat(32) }, /^Round 1 does not match the promise/],
  ['client seed', { clientSeed: 'mine' }, /^Round 1 used another client seed/],
])(
  'PP-17 part: a round with another %s than before the spin is not correct, though its seed matches',
  async (_, before, text) => {
    HTMLDialogElement.prototype.showModal = () => {}; // missing in jsdom
    const played = await proven();
    const { id, commitment, clientSeed, nonce } = played;
    const promise = { commitment, clientSeed, nonce, ...before };
    rememberPromise(id, promise, played);
    const recompute = vi.fn(() => Promise.resolve(true));
    openProof(played, recompute);
    const verdict = document.querySelector<HTMLElement>('[role=status]')!;
    expect(verdict.textContent).toMatch(text);
    expect(verdict.dataset.ok).toBe('false');
    const values = [...document.querySelectorAll('.seal')].map((value) => value.textContent);
    expect(values.slice(-3)).toEqual([promise.commitment, '1', promise.clientSeed]);
    expect(recompute).not.toHaveBeenCalled();
  },
);
