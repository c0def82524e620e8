import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route, Switch } from 'wouter';

import { answerWith, Failing, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { controlRoutes } from '../control/routes.ts';
import { chanceText, isTooHigh, returnOf } from './games.tsx';
import { parseImport, problemOf } from './results.ts';
import { lotteryRoutes } from './routes.ts';

afterEach(() => vi.unstubAllGlobals());

const draw = {
  id: '101-20261117',
  gameId: '101',
  gameCode: 'mb',
  gameName: 'Miền Bắc',
  numero: '20261117',
  type: 'regional',
  openTime: 1,
  closeTime: 2,
  drawTime: 3,
  status: 'closed',
  winNo: '',
  pending: false,
  simulated: false,
  version: 4,
  form: [
    { code: 'DB', count: 1, digits: 5 },
    { code: 'G1', count: 2, digits: 4 },
  ],
  totals: [{ currency: 'VND', rounds: 2, staked: 20_000, paid: 0 }],
  exposure: [{ playCode: 'de', line: '05', amount: 970_000 }],
  limit: 10_000_000,
  currency: 'VND',
  due: true,
};

const preview = {
  winNo: '12305',
  prizes: { DB: ['12305'], G1: ['1111', '2222'] },
  sums: [
    {
      currency: 'VND',
      rounds: 2,
      winners: 1,
      paid: 0,
      due: 970_000,
      credited: 970_000,
      takenBack: 0,
      returned: 0,
    },
  ],
  complete: true,
};

const outcome = {
  when: '',
  odds: '34.920',
  chance: '1/36',
  rtp: '0.9700',
  standard: '34.920',
  highest: '35.100',
};

const game = {
  id: '1201',
  code: 'k3-1',
  name: 'K3, 1 min',
  type: 'k3',
  status: 'on',
  changed: 0,
  version: 0,
  plays: [
    {
      prizeMode: 'Elott',
      playCode: 'any-triple',
      name: 'Any triple',
      rebate: '0',
      changed: false,
      outcomes: [outcome],
    },
  ],
  return: '0.975',
  limit: 10_000_000,
  currency: 'VND',
};

const waitingApproval = { approval: { id: '7', state: 'waiting' } };

function openScreen(address: string, responses: Record<string, unknown> = {}) {
  const requests = answerWith({
    'GET /ops/v1/lottery/101-20261117': draw,
    'GET /ops/v1/lottery/101-20261117/result/preview': preview,
    'GET /ops/v1/lottery/games/1201': game,
    ...responses,
  });
  renderScreen(
    <Switch>
      {[...lotteryRoutes, ...controlRoutes].map(({ path, screen: Screen }) => (
        <Route key={path} path={path} component={Screen} />
      ))}
    </Switch>,
    { permissions: ['lottery.result'], address },
  );
  return requests;
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('the schedule filters draws that wait for a result', async () => {
  const requests = openScreen('/lottery?state=waiting', {
    'GET /ops/v1/lottery': { list: [draw], next: '' },
  });
  expect(await screen.findByText('Miền Bắc')).toBeVisible();
  expect(requests[0]?.url).toContain('state=waiting');
});

test('a result shows what it pays before it is sent, and waits for a second person', async () => {
  const requests = openScreen('/lottery/101-20261117', {
    'POST /ops/v1/lottery/101-20261117/result': waitingApproval,
  });
  await userEvent.type(await screen.findByLabelText('DB'), '12305');
  await userEvent.type(screen.getByLabelText('G1'), '1111');
  expect(screen.getByText('Enter 2 numbers.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Enter the result' })).toBeDisabled();
  await userEvent.type(screen.getByLabelText('G1'), ' 2222');
  await press('Enter the result');
  const form = await dialog('Enter the result');
  expect(await form.findByText('Rounds that win')).toBeVisible();
  expect(form.getAllByText(/970/u)).not.toHaveLength(0);
  await userEvent.click(form.getByRole('button', { name: 'Enter the result' }));
  expect(await form.findByText(/second person/u)).toBeVisible();
  const [sent] = sentTo(requests, 'POST /ops/v1/lottery/101-20261117/result');
  expect(await sent?.json()).toEqual({
    version: 4,
    prizes: { DB: ['12305'], G1: ['1111', '2222'] },
  });
});

test('a correction needs a reason, and a draw that is being settled cannot be changed', async () => {
  let isPending = false;
  const settled = { ...draw, status: 'settled', winNo: '12305', prizes: preview.prizes };
  const requests = openScreen('/lottery/101-20261117', {
    'GET /ops/v1/lottery/101-20261117': () => ({ ...settled, pending: isPending }),
    'POST /ops/v1/lottery/101-20261117/result': () => {
      isPending = true;
      return new Failing(409, 'lottery.settling');
    },
  });
  const input = await screen.findByLabelText('DB');
  expect(screen.getByRole('button', { name: 'Correct the result' })).toBeDisabled();
  await userEvent.clear(input);
  await userEvent.type(input, '12317');
  await press('Correct the result');
  const form = await dialog('Correct the result');
  await userEvent.click(form.getByRole('button', { name: 'Correct the result' }));
  expect(await form.findByText('Enter a reason.')).toBeVisible();
  expect(sentTo(requests, 'POST /ops/v1/lottery/101-20261117/result')).toHaveLength(0);
  await userEvent.type(form.getByLabelText(/Reason/u), 'read wrong');
  await userEvent.click(form.getByRole('button', { name: 'Correct the result' }));
  expect(await form.findByText(/still being settled/u)).toBeVisible();
});

test('the second person sees the payouts of a result before approving it', async () => {
  openScreen('/approvals/7', {
    'GET /ops/v1/approvals/7': {
      id: '7',
      state: 'waiting',
      permission: 'lottery.result',
      action: 'lottery.result',
      object: 'lottery/101-20261117',
      payload: { result: 'DB=12305;G1=1111,2222' },
      digest: 'ab',
      requestedBy: 'lan',
      requestedAt: 1,
    },
  });
  await press('Approve');
  expect(await (await dialog('Approve')).findByText('Members receive')).toBeVisible();
});

test('odds show their return while typing, and odds above the limit cannot be saved', async () => {
  const requests = openScreen('/lottery/games/1201', {
    'POST /ops/v1/lottery/games/1201/odds': game,
  });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Play to change' }));
  await userEvent.click(await screen.findByRole('option', { name: 'any-triple: Any triple' }));
  const input = screen.getByLabelText('Odds');
  await userEvent.clear(input);
  await userEvent.type(input, '36');
  expect(screen.getByText('1.0000')).toBeVisible();
  expect(screen.getByText(/Enter odds up to 35.100/u)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save the odds' })).toBeDisabled();
  await userEvent.clear(input);
  await userEvent.type(input, '30');
  expect(screen.getByText('0.8333')).toBeVisible();
  await press('Save the odds');
  const form = await dialog('Save the odds');
  expect(form.getByText('30, return 0.8333')).toBeVisible();
  await userEvent.click(form.getByRole('button', { name: 'Save the odds' }));
  await expect.poll(() => sentTo(requests, 'POST /ops/v1/lottery/games/1201/odds')).toHaveLength(1);
});

test('exposure lists the share of the limit', async () => {
  openScreen('/lottery/exposure', {
    'GET /ops/v1/lottery/exposure': {
      list: [
        {
          id: '101-20261117',
          gameName: 'Miền Bắc',
          numero: '20261117',
          drawTime: 3,
          status: 'open',
          currency: 'VND',
          rounds: 2,
          staked: 20_000,
          highest: 970_000,
          limit: 10_000_000,
          share: '0.0970',
        },
      ],
      next: '',
    },
  });
  expect(await screen.findByText(/9.70 %/u)).toBeVisible();
});

test('returns are exact and rounded down', () => {
  expect(returnOf('95.5', { chance: '1/100', rebate: '0.015' })).toBe('0.9700');
  expect(returnOf('17.674', { chance: '1000/18221', rebate: '0' })).toBe('0.9699');
  expect(returnOf('abc', { chance: '1/2', rebate: '0' })).toBeNull();
  expect(returnOf('0', { chance: '1/2', rebate: '0' })).toBeNull();
  expect(returnOf('1.2345', { chance: '1/2', rebate: '0' })).toBeNull();
  const third = '1000000000000000000000000000001/3000000000000000000000000000003';
  expect(returnOf('3', { chance: third, rebate: '0' })).toBe('1.0000');
  expect(returnOf('2.999', { chance: third, rebate: '0.0003' })).toBe('0.9999');
  expect(chanceText(third)).toBe('1 / 3.000');
  expect(chanceText('1/36')).toBe('1/36');
  expect(isTooHigh('1.9401', '1.940')).toBe(true);
  expect(isTooHigh('1.94', '1.940')).toBe(false);
});

test('imported results keep leading zeros, and invalid results are rejected', () => {
  expect(parseImport('DB=01234\nG1: 0001, 0002')).toEqual({ DB: '01234', G1: '0001 0002' });
  expect(parseImport('{"prizes":{"DB":["01234"]}}')).toEqual({ DB: '01234' });
  expect(parseImport('DB=1;DB=2')).toBeNull();
  expect(parseImport('hello')).toBeNull();
  expect(problemOf({ code: 'DB', count: 1, digits: 5 }, '1234')).toBe('digits');
  expect(problemOf({ code: 'G1', count: 2, digits: 4 }, '1234')).toBe('count');
});
