import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { exclusions, limitKinds, limitPeriods, timeOuts } from '../../api/limits.ts';
import { clearSession, startSession } from '../../api/session.ts';
import { onLayer } from '../../lib/layers.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import LimitsScreen from './LimitsScreen.tsx';

type Part = Record<string, unknown>;

function limits(own: Record<string, Part> = {}, more: Part = {}) {
  return {
    currency: 'VND',
    limits: limitKinds.flatMap((kind) =>
      limitPeriods.map((period) => ({
        kind,
        period,
        amount: null,
        used: 0,
        pending: null,
        ...own[`${kind}.${period}`],
      })),
    ),
    realityCheck: { minutes: null, choices: [15, 30, 60], played: null },
    break: null,
    ...more,
  };
}

async function showLimits(answer: unknown, answers: Part = {}, query = '') {
  cleanup();
  await expect.poll(() => onLayer()).toBe(false);
  history.replaceState(null, '', `/m/member/limits${query}`);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/member/limits': answer,
    'PUT /wps/member/limits': {},
    'POST /wps/member/limits/confirm': {},
    'DELETE /wps/member/limits/pending': {},
    'PUT /wps/member/limits/realityCheck': {},
    'POST /wps/member/limits/break': {},
    ...answers,
  });
  renderScreen(
    <>
      <LimitsScreen />
      <ToastViewport />
    </>,
  );
  return requests;
}

const card = (name: string) => screen.findByRole('article', { name });

beforeEach(() => {
  clearSession();
  toast.hide();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

test.each([
  ['Day', 'day', '1500000'],
  ['Week', 'week', '1.500.000'],
  ['Month', 'month', '1,500,000'],
])('PP-05 client part: a limit of any amount for a %s', async (tab, period, typed) => {
  const requests = await showLimits(limits());
  await userEvent.click(await screen.findByRole('radio', { name: tab }));
  const losses = await card('Losses');
  expect(losses.textContent).toContain('No limit');
  await userEvent.click(within(losses).getByRole('button', { name: 'Set a limit' }));
  const sheet = await screen.findByRole('dialog');
  await userEvent.type(within(sheet).getByRole('textbox'), typed);
  expect(sheet.textContent).toContain('1,500,000');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }));
  await expect.poll(() => sentTo(requests, 'PUT /wps/member/limits').length).toBe(1);
  const [sent] = sentTo(requests, 'PUT /wps/member/limits');
  expect(await sent!.json()).toEqual({ kind: 'loss', period, amount: 1_500_000 });
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['zero', '0'],
  ['less than the used amount', '150000'],
])(
  'PP-05 client part: a limit of %s needs a confirmation, because it stops play at once',
  async (_, typed) => {
    const requests = await showLimits(
      limits({ 'stake.day': { amount: 1_000_000, used: 200_000 } }),
    );
    await userEvent.click(within(await card('Stakes')).getByRole('button', { name: 'Change' }));
    const sheet = await screen.findByRole('dialog');
    const input = within(sheet).getByRole<HTMLInputElement>('textbox');
    await enter(input, typed);
    await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }));
    expect(within(sheet).getByText(/stops your bets at once/)).toBeVisible();
    expect(sentTo(requests, 'PUT /wps/member/limits')).toHaveLength(0);
    await userEvent.click(within(sheet).getByRole('button', { name: 'Save it all the same' }));
    await expect.poll(() => sentTo(requests, 'PUT /wps/member/limits').length).toBe(1);
  },
);

test('an amount above the maximum shows an error, and typing clears it', async () => {
  const requests = await showLimits(limits());
  await userEvent.click(within(await card('Stakes')).getByRole('button', { name: 'Set a limit' }));
  const sheet = await screen.findByRole('dialog');
  const input = within(sheet).getByRole<HTMLInputElement>('textbox');
  await enter(input, '99999999999999999999');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }));
  expect(await within(sheet).findByText('This amount is too large')).toBeVisible();
  expect(sentTo(requests, 'PUT /wps/member/limits')).toHaveLength(0);
  await enter(input, '5');
  expect(within(sheet).queryByText('This amount is too large')).toBeNull();
});

test('an invalid amount is not sent and stays in the field', async () => {
  const requests = await showLimits(limits());
  await userEvent.click(within(await card('Stakes')).getByRole('button', { name: 'Set a limit' }));
  const sheet = await screen.findByRole('dialog');
  const input = within(sheet).getByRole<HTMLInputElement>('textbox');
  await userEvent.type(input, '12k');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }));
  expect(await within(sheet).findByText('Type an amount, such as 500000')).toBeVisible();
  expect(input.value).toBe('12k');
  expect(sentTo(requests, 'PUT /wps/member/limits')).toHaveLength(0);
});

test('a server error shows in the form and keeps the input', async () => {
  await showLimits(limits(), { 'PUT /wps/member/limits': new Failing(422, 'money.overflow') });
  await userEvent.click(within(await card('Stakes')).getByRole('button', { name: 'Set a limit' }));
  const sheet = await screen.findByRole('dialog');
  const input = within(sheet).getByRole<HTMLInputElement>('textbox');
  await userEvent.type(input, '500000');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }));
  expect(await within(sheet).findByText('The amount is too large')).toBeVisible();
  expect(input.value).toBe('500000');
});

test('PP-06 client part: the form says that a higher limit waits and a lower one applies at once', async () => {
  await showLimits(limits({ 'stake.day': { amount: 1_000_000, used: 200_000 } }));
  await userEvent.click(within(await card('Stakes')).getByRole('button', { name: 'Change' }));
  const sheet = await screen.findByRole('dialog');
  const input = within(sheet).getByRole<HTMLInputElement>('textbox');
  await enter(input, '2000000');
  expect(sheet.textContent).toContain('this waits 24 hours');
  await enter(input, '500000');
  expect(sheet.textContent).toContain('This holds from the moment you save it.');
  expect(within(sheet).getByRole('button', { name: /^Remove the limit/ })).toBeVisible();
});

test('PP-06 client part: a pending raise can be withdrawn, and confirmed after the waiting time', async () => {
  const now = Date.now();
  const pending = { amount: 3_000_000, from: now + 3_600_000, confirmUntil: now + 600_000_000 };
  const requests = await showLimits(limits({ 'deposit.day': { amount: 2_000_000, pending } }));
  const deposits = await card('Deposits');
  expect(deposits.textContent).toContain('Raise to 3,000,000');
  expect(within(deposits).queryByRole('button', { name: 'Confirm' })).toBeNull();
  await userEvent.click(within(deposits).getByRole('button', { name: 'Withdraw it' }));
  await expect.poll(() => sentTo(requests, 'DELETE /wps/member/limits/pending').length).toBe(1);
  const address = new URL(sentTo(requests, 'DELETE /wps/member/limits/pending')[0]!.url);
  expect(address.search).toBe('?kind=deposit&period=day');

  const confirmRequests = await showLimits(
    limits({ 'deposit.day': { amount: 2_000_000, pending: { ...pending, from: now - 1000 } } }),
  );
  const confirm = await within(await card('Deposits')).findByRole('button', { name: 'Confirm' });
  await userEvent.click(confirm);
  await expect
    .poll(() => sentTo(confirmRequests, 'POST /wps/member/limits/confirm').length)
    .toBe(1);
  expect(await sentTo(confirmRequests, 'POST /wps/member/limits/confirm')[0]!.json()).toEqual({
    kind: 'deposit',
    period: 'day',
  });
});

test('a nearly used limit and a used-up limit say so', async () => {
  await showLimits(
    limits({
      'stake.day': { amount: 5_000_000, used: 4_120_000 },
      'loss.day': { amount: 100_000, used: 100_000 },
    }),
  );
  expect((await card('Stakes')).textContent).toContain('Near the limit, 880,000');
  expect((await card('Losses')).textContent).toContain('The limit is reached');
});

test('PP-04 client part: the member can choose the interval of the reality check', async () => {
  const requests = await showLimits(limits());
  const check = await card('Reality check');
  expect(within(check).getByRole<HTMLInputElement>('radio', { name: 'Off' }).checked).toBe(true);
  await userEvent.click(within(check).getByRole('radio', { name: '30 min' }));
  await expect.poll(() => sentTo(requests, 'PUT /wps/member/limits/realityCheck').length).toBe(1);
  const [sent] = sentTo(requests, 'PUT /wps/member/limits/realityCheck');
  expect(await sent!.json()).toEqual({ minutes: 30 });
});

test('PP-07 client part: every break period is offered and none is preselected', async () => {
  await showLimits(limits());
  const rest = within(await card('Time-out')).getAllByRole<HTMLInputElement>('radio');
  const stop = within(await card('Self-exclusion')).getAllByRole<HTMLInputElement>('radio');
  expect(rest).toHaveLength(timeOuts.length);
  expect(stop).toHaveLength(exclusions.length);
  expect([...rest, ...stop].some(({ checked }) => checked)).toBe(false);
});

test.each([
  ['Time-out', '1 week', /^Begin a time-out/, '1w', 'Take a time-out: 1 week?'],
  ['Self-exclusion', 'For life', /^Exclude myself/, 'life', 'Exclude yourself: For life?'],
])(
  'PP-07 client part: %s begins after one confirmation',
  async (name, length, act, sent, title) => {
    const requests = await showLimits(limits());
    const part = await card(name);
    expect(within(part).getByRole<HTMLButtonElement>('button', { name: act }).disabled).toBe(true);
    await userEvent.click(within(part).getByRole('radio', { name: length }));
    await userEvent.click(within(part).getByRole('button', { name: act }));
    const dialog = await screen.findByRole('alertdialog', { name: title });
    expect(sentTo(requests, 'POST /wps/member/limits/break')).toHaveLength(0);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Yes, begin now' }));
    await expect.poll(() => sentTo(requests, 'POST /wps/member/limits/break').length).toBe(1);
    expect(await sentTo(requests, 'POST /wps/member/limits/break')[0]!.json()).toEqual({
      period: sent,
    });
  },
);

test('PP-07 client part: after a break begins, the focus moves to its heading', async () => {
  let on = false;
  const since = Date.now();
  const activeBreak = {
    kind: 'timeOut',
    period: '24h',
    since,
    until: since + 86_400_000,
    longer: ['1w'],
  };
  await showLimits(() => limits({}, { break: on ? activeBreak : null }), {
    'POST /wps/member/limits/break': () => {
      on = true;
      return {};
    },
  });
  const part = await card('Time-out');
  await userEvent.click(within(part).getByRole('radio', { name: '24 hours' }));
  await userEvent.click(within(part).getByRole('button', { name: /^Begin a time-out/ }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Yes, begin now' }));
  const heading = await screen.findByRole('heading', { name: /^You are on a break until/ });
  await expect.poll(() => document.activeElement).toBe(heading);
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  expect(document.activeElement).toBe(heading);
});

test('PP-07 client part: a short break can follow a long one that is nearly over', async () => {
  const now = Date.now();
  const longer = ['24h', '1w', '1m', '6w', '6M', '1y', '3y', '5y', 'life'];
  const activeBreak = { kind: 'timeOut', period: '1w', since: 0, until: now + 3_600_000, longer };
  await showLimits(limits({}, { break: activeBreak }));
  const day = within(await card('Time-out')).getByRole<HTMLInputElement>('radio', {
    name: '24 hours',
  });
  expect(day.disabled).toBe(false);
});

test('PP-07 client part: an active break is shown, only a longer one can be chosen, and withdrawing stays open', async () => {
  const until = Date.now() + 86_400_000;
  const longer = ['1m', '6w', '6M', '1y', '3y', '5y', 'life'];
  const activeBreak = { kind: 'timeOut', period: '1w', since: Date.now(), until, longer };
  await showLimits(limits({}, { break: activeBreak }));
  expect(await screen.findByText(/^You are on a break until/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Withdraw' }).getAttribute('href')).toBe('/m/withdraw');
  const radio = async (name: string, length: string) =>
    within(await card(name)).getByRole<HTMLInputElement>('radio', { name: length });
  expect((await radio('Time-out', '24 hours')).disabled).toBe(true);
  expect((await radio('Time-out', '1 month')).disabled).toBe(false);
  expect((await radio('Self-exclusion', '6 months')).disabled).toBe(false);
});

test('a link can open the confirmation of a break', async () => {
  const requests = await showLimits(limits(), {}, '?break=24h');
  const dialog = await screen.findByRole('alertdialog', { name: 'Take a time-out: 24 hours?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  expect(sentTo(requests, 'POST /wps/member/limits/break')).toHaveLength(0);
});

test('a link to a part of the screen focuses that part', async () => {
  await showLimits(limits(), {}, '?part=exclusion');
  expect(await screen.findByRole('article', { name: 'Self-exclusion' })).toHaveFocus();
  await showLimits(limits(), {}, '?part=reminder');
  expect(await screen.findByRole('article', { name: 'Reality check' })).toHaveFocus();
});

test('limits that fail to load can be retried', async () => {
  let down = true;
  await showLimits(() => {
    if (down) throw new TypeError('Failed to fetch');
    return limits();
  });
  const again = await screen.findByRole('button', { name: /Load failed/ });
  down = false;
  await userEvent.click(again);
  expect(await card('Losses')).toBeVisible();
});
