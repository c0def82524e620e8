import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, Failing, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { ProtectionScreen } from './ProtectionScreen.tsx';

afterEach(() => vi.unstubAllGlobals());

const sign = {
  id: '5',
  memberId: '21',
  username: 'lan2024',
  kind: 'night',
  facts: { nights: 3 },
  foundAt: 1,
  status: 'new',
  version: 4,
};

/** Opens the list with one sign. Returns the bodies of the requests that change it. */
async function openSign(more: Record<string, unknown> = {}) {
  const bodies: unknown[] = [];
  const change = async (request: Request) => {
    bodies.push(await request.json());
    return {};
  };
  answerWith({
    'GET /ops/v1/protection': { list: [{ ...sign, ...more }], next: '' },
    'POST /ops/v1/protection/5/contact': change,
    'POST /ops/v1/protection/5/break': change,
    'POST /ops/v1/protection/5/dismiss': change,
  });
  renderScreen(<ProtectionScreen />, { permissions: ['member.read', 'member.edit'] });
  expect(await screen.findByRole('link', { name: 'lan2024' })).toBeVisible();
  return bodies;
}

/** Presses a button of the sign and returns the dialog that it opens. */
async function openDialog(name: string) {
  await userEvent.click(screen.getByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name }));
}

test.each([
  {
    kind: 'night',
    facts: { nights: 3 },
    name: 'Plays at night',
    text: 'Played in 3 nights of the last 7 days',
  },
  {
    kind: 'chase',
    facts: { currency: 'VND', deposits: 2, deposited: 900_000, lost: 850_000 },
    name: 'Chases losses',
    text: 'Deposited 2 times after losses. In 24 hours: 900,000 VND deposited, 850,000 VND lost',
  },
  {
    kind: 'raise',
    facts: { kind: 'deposit', period: 'day', currency: 'VND', from: 500_000, to: 900_000 },
    name: 'Raised a limit',
    text: 'Deposits, Day: from 500,000 VND to 900,000 VND',
  },
  {
    kind: 'raise',
    facts: { kind: 'loss', period: 'week', currency: 'VND', from: 500_000, to: 0 },
    name: 'Raised a limit',
    text: 'Losses, Week: from 500,000 VND to no limit',
  },
])('the figures of a sign are a sentence: $text', async ({ kind, facts, name, text }) => {
  await openSign({ kind, facts });
  const row = screen.getByRole('link', { name: 'lan2024' }).closest('tr')!;
  const cells = within(row).getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent.replaceAll('\u00A0', ' '))).toEqual(
    expect.arrayContaining([name, text, 'New']),
  );
});

test('a member is contacted with the typed message, after the dialog said where it goes', async () => {
  const bodies = await openSign();
  const dialog = await openDialog('Contact');
  expect(dialog.getByText(/message in the inbox. It is also stored as a note/)).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Message to the member'), 'Are you well?');
  expect(bodies).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Contact' }));
  expect(await screen.findByText('Done: Contact')).toBeVisible();
  expect(bodies).toEqual([{ version: 4, text: 'Are you well?' }]);
});

test('a break shows what it changes, needs a reason and is not sent when cancelled', async () => {
  const bodies = await openSign();
  let dialog = await openDialog('Force a break');
  expect(dialog.getByText(/cannot play or deposit until the break ends/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Force a break' }));
  expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([]);

  dialog = await openDialog('Force a break');
  await userEvent.click(dialog.getByRole('combobox', { name: 'Period' }));
  await userEvent.click(await screen.findByRole('option', { name: '1 week' }));
  await userEvent.type(dialog.getByLabelText(/Reason/), 'plays at night');
  await userEvent.click(dialog.getByRole('button', { name: 'Force a break' }));
  expect(await screen.findByText('Done: Force a break')).toBeVisible();
  expect(bodies).toEqual([{ version: 4, period: '1w', reason: 'plays at night' }]);
});

test('dismissing a sign shows its status before and after', async () => {
  const bodies = await openSign({ status: 'contacted', handledBy: 'thuha' });
  const dialog = await openDialog('Dismiss');
  expect(dialog.getByRole('row', { name: 'Status Contacted Dismissed' })).toBeVisible();
  expect(bodies).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Dismiss' }));
  expect(await screen.findByText('Done: Dismiss')).toBeVisible();
  expect(bodies).toEqual([{ version: 4 }]);
});

test('a refused change stays in its dialog with the reason', async () => {
  const requests = answerWith({
    'GET /ops/v1/protection': { list: [sign], next: '' },
    'POST /ops/v1/protection/5/dismiss': new Failing(409, 'ops.stale'),
  });
  renderScreen(<ProtectionScreen />, { permissions: ['member.read', 'member.edit'] });
  await screen.findByRole('link', { name: 'lan2024' });
  const dialog = await openDialog('Dismiss');
  await userEvent.click(dialog.getByRole('button', { name: 'Dismiss' }));
  expect(await dialog.findByText(/Someone has changed this in the meantime/)).toBeVisible();
  expect(sentTo(requests, 'POST /ops/v1/protection/5/dismiss')).toHaveLength(1);
});

test('an operator without member.edit sees the signs but no buttons', async () => {
  answerWith({ 'GET /ops/v1/protection': { list: [sign], next: '' } });
  renderScreen(<ProtectionScreen />, { permissions: ['member.read'] });
  expect(await screen.findByRole('link', { name: 'lan2024' })).toBeVisible();
  for (const name of ['Contact', 'Force a break', 'Dismiss'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});
