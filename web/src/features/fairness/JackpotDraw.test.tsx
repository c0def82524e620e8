import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession } from '../../api/session.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import FairnessScreen from './FairnessScreen.tsx';

/** Equals internal/game/jackpot/testdata/draw.golden.json. */
const won = {
  below: 2_000_000_000,
  clientSeed: 'jackpot-VND-1001-1',
  commitment: '136dfbe07a57f16ac3bb9aedb16886413dc31a80444a200b5758763ccf758915',
  currency: 'VND',
  nonce: 2,
  number: 1_700_871_700,
  parts: 2_000_000_000,
  publishedAt: 1_773_480_413_000,
  seed: '6ae6783f4fbde91b6eb88b73a48ed247dbe5882e2579683432c1bfc525454add',
  series: 1,
  stake: 200_000_000_000,
  unit: 100,
  won: 5_700_000_543,
};

function show(draw: Record<string, unknown>): void {
  history.replaceState(null, '', '/m/fairness?currency=VND&series=1&draw=2');
  answerWith({ ...homeAnswers, 'GET /wps/jackpot/draw': draw });
  renderScreen(<FairnessScreen />);
}

const verdict = () => document.querySelector('[data-verdict]')?.getAttribute('data-verdict');

beforeEach(clearSession);

test('PP-13 PP-17 anyone can verify a jackpot draw without a login', async () => {
  show(won);
  await expect.poll(verdict).toBe('match');
  expect(screen.getByText('SHA-256 = promise')).toBeVisible();
  expect(screen.getByText('1700871700')).toBeVisible();
  expect(screen.getByText('5,700,000,543 ₫')).toBeVisible();
});

test.each([
  ['another number', { number: 1_700_871_701 }],
  ['a loss reported as a win', { stake: 100, below: 1 }],
  ['an unreported win', { won: null }],
  ['another commitment', { commitment: '0'.repeat(64) }],
])('PP-13 a wrong report of a draw is detected: %s', async (_, change) => {
  show({ ...won, ...change });
  await expect.poll(verdict).toBe('mismatch');
});

test('PP-13 a running series shows only the commitment, and links to its other draws', async () => {
  show({ ...won, seed: null, number: null, below: null, won: null });
  expect(await screen.findByText('This series still runs')).toBeVisible();
  expect(screen.getByLabelText('Commitment').textContent?.replaceAll(' ', '')).toBe(won.commitment);
  expect(verdict()).toBeUndefined();
  const field = screen.getByLabelText('Draw');
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Check this draw' }));
  expect(screen.getByText('A whole number from 1')).toBeVisible();
  await userEvent.type(field, '7');
  await userEvent.click(screen.getByRole('button', { name: 'Check this draw' }));
  expect(location.search).toBe('?currency=VND&series=1&draw=7');
});

const chain = {
  id: '7',
  kind: 'jackpot',
  name: 'VND-1001',
  generation: 2,
  state: 'running',
  length: 1_000_000,
  used: 9,
  end: 'e'.repeat(64),
  source: 'beacon',
  detail: `${'52db9ba7'.padEnd(64, '0')}/4242`,
  dueAt: 1_773_480_400_000,
  value: 'f'.repeat(64),
  signature: '',
  salt: 'a'.repeat(32),
  createdAt: 1_773_480_300_000,
  startedAt: 1_773_480_410_000,
  endedAt: 0,
};

test.each([
  [
    'a beacon',
    { value: chain.value },
    'It starts with a public random value that was announced before: drand 52db9ba7… #4242.',
  ],
  [
    'an announced result',
    { source: 'announced', detail: 'Special prize of 20 November', value: '40213' },
    'It starts with a public result that was announced before: Special prize of 20 November.',
  ],
  ['the operator', { source: 'operator', detail: '', value: '' }, 'The operator chose its start.'],
])('PP-17 a draw says where the salt of its series came from: %s', async (_, change, text) => {
  show({ ...won, chainId: '7', link: 9, chain: { ...chain, ...change } });
  await expect.poll(verdict).toBe('match');
  expect(screen.getByText(/Series 2: link 9 of/)).toHaveTextContent(text);
  expect(screen.getByLabelText('End of the chain').textContent?.replaceAll(' ', '')).toBe(
    chain.end,
  );
  expect(document.body.textContent).toContain(change.value);
});

/** A draw of series 1 of the chain above, at link 3. Its seed hashes to the end in three steps. */
const chained = {
  ...won,
  clientSeed: '860f059d5122dcc220d38e59b33b2cdd-VND-1',
  chainId: '7',
  link: 3,
  seed: 'b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3',
  commitment: 'cc4ebaffb1ccb1936b6a206a4b7348ec309abdbb5c0ffeb990eb2d23a51c42f6',
  number: 482_341_313,
  chain: {
    ...chain,
    source: 'operator',
    detail: '',
    value: '',
    end: '1a62c95590fd39bff21408d2fd3ec9d631d558f07e45938decb43ae20331c580',
    salt: '860f059d5122dcc220d38e59b33b2cdd',
  },
};

test.each([
  ['its series', {}, /^3 hashes lead to the published end/, 'match'],
  ['another link', { link: 4 }, 'The hashes do not lead to the published end.', 'mismatch'],
  [
    'another public value',
    { chain: { ...chained.chain, value: '40213' } },
    'The salt is not that of the series.',
    'mismatch',
  ],
])('PP-17 part: the seed of a draw is checked against %s', async (_, change, text, want) => {
  show({ ...chained, ...change });
  await expect.poll(verdict).toBe('match');
  expect(screen.getByText(/^Not checked yet/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Check the whole series' }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(verdict()).toBe(want);
  expect(screen.queryByText(/^Not checked yet/)).toBeNull();
});
