import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { FiguresView } from './FiguresView.tsx';

afterEach(() => vi.unstubAllGlobals());

const path = 'GET /ops/v1/figures';

const figures = {
  currency: 'VND',
  summedAt: 1,
  figures: [
    { name: 'deposits', today: 5_000_000, yesterday: 4_000_000 },
    { name: 'withdrawals', today: 1_000_000, yesterday: 0 },
    { name: 'stakes', today: 9_000_000, yesterday: 8_000_000 },
    { name: 'result', today: -250_000, yesterday: 600_000 },
  ],
  players: 12,
  playersYesterday: 9,
  series: [
    { day: '2026-11-17', deposits: 4_000_000, withdrawals: 0, result: 600_000, players: 9 },
    {
      day: '2026-11-18',
      deposits: 5_000_000,
      withdrawals: 1_000_000,
      result: -250_000,
      players: 12,
    },
  ],
  vendors: [{ vendor: 'JL', rounds: 40, stakes: 9_000_000, result: 350_000 }],
  games: [{ vendor: 'JL', game: 'Dragon', rounds: 30, stakes: 7_000_000, result: 300_000 }],
  tasks: [
    { kind: 'withdrawal', number: 3 },
    { kind: 'kyc', number: 2 },
  ],
  alerts: [],
};

/** Texts without the spaces of number formats that do not break. */
const textOf = (element: Element | null): string =>
  (element?.textContent ?? '').replaceAll('\u00A0', ' ');

test('the overview shows today, yesterday and 30 days', async () => {
  answerWith({ [path]: figures });
  renderScreen(<FiguresView />);
  const tile = (label: string) => screen.getAllByText(label, { selector: 'p' })[0]!.parentElement;
  await screen.findByText('Active members');
  expect(textOf(tile('Withdrawals'))).toBe('Withdrawals1,000,000 VNDYesterday: 0 VND');
  expect(textOf(tile('Active members'))).toBe('Active members12Yesterday: 9');
  expect(screen.getByRole('row', { name: /^JL · Dragon 30 300,000\sVND$/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /^JL 40 350,000\sVND$/ })).toBeVisible();
  const chart = screen.getByRole('img', { name: 'Deposits and withdrawals, 30 days' });
  expect([...chart.querySelectorAll('title')].map(textOf)).toEqual([
    'Nov 17, 2026: Deposits 4,000,000 VND',
    'Nov 18, 2026: Deposits 5,000,000 VND',
    'Nov 17, 2026: Withdrawals 0 VND',
    'Nov 18, 2026: Withdrawals 1,000,000 VND',
  ]);
});

test('the overview adds up the open tasks and links to them', async () => {
  answerWith({ [path]: figures });
  renderScreen(<FiguresView />);
  expect(await screen.findByRole('link', { name: '5' })).toHaveAttribute(
    'href',
    '/console/tasks?state=open',
  );
  expect(screen.getByText('Withdrawal to decide: 3')).toBeVisible();
  expect(screen.getByText('Identity check: 2')).toBeVisible();
});

test.each([
  {
    title: 'permissions that fewer than two operators hold',
    alerts: [
      { code: 'single', text: 'ledger.adjust' },
      { code: 'single', text: 'operator.edit' },
    ],
    shown: [
      'Changes take effect without a second person' +
        'Fewer than two operators hold these permissions: ledger.adjust, operator.edit',
    ],
  },
  {
    title: 'failed health checks',
    alerts: [{ code: 'backup', text: 'the last backup is 3 days old' }],
    shown: ['Needs attentionLast backup: the last backup is 3 days oldOpen health'],
  },
  {
    title: 'both',
    alerts: [{ code: 'single', text: 'ledger.adjust' }, { code: 'disk' }],
    shown: [
      'Needs attentionDisk: Open health',
      'Changes take effect without a second person' +
        'Fewer than two operators hold these permissions: ledger.adjust',
    ],
  },
  { title: 'nothing', alerts: [], shown: [] },
])('the overview warns of $title', async ({ alerts, shown }) => {
  answerWith({ [path]: { ...figures, alerts } });
  renderScreen(<FiguresView />);
  await screen.findByText('Active members');
  expect(screen.queryAllByRole('alert').map(textOf)).toEqual(shown);
});

test('an overview without rounds says so, and a failed one can be loaded again', async () => {
  answerWith({ [path]: new Failing(500, 'system.error') });
  renderScreen(<FiguresView />);
  const failure = within(await screen.findByRole('alert'));
  expect(failure.getByText('The server reported an error: system.error.')).toBeVisible();
  answerWith({ [path]: { ...figures, series: [], vendors: [], games: [] } });
  await userEvent.click(failure.getByRole('button', { name: 'Try again' }));
  expect(await screen.findAllByText('No rounds yet')).toHaveLength(2);
});
