import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route, Switch } from 'wouter';

import { answerWith, Failing, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { cashierRoutes } from './routes.ts';

afterEach(() => vi.unstubAllGlobals());

const gateway = {
  id: '5',
  code: 'G1',
  name: 'Gate',
  url: 'https://pay.example/api',
  currencies: ['VND'],
  min: 0,
  max: 0,
  keys: 2,
  status: 'active',
  createdAt: 1,
  version: 4,
  reconciliation: {
    at: 1,
    since: 0,
    checked: 9,
    differences: [
      {
        reference: 'VELKPCYPHXCO',
        here: 'WAITING',
        there: 'paid',
        amount: '100000 VND',
        text: 'paid, but not credited',
      },
    ],
  },
};

const method = {
  id: '3',
  code: 'BANK',
  kind: 'qr',
  currency: 'VND',
  scheme: 'vietqr',
  name: 'Bank',
  min: 10_000,
  max: 5_000_000,
  fee: 0,
  feeRate: 0.01,
  opensAt: '00:00',
  closesAt: '00:00',
  minutes: 30,
  accounts: [{ code: 'VCB', name: 'Vietcombank', bin: '970436', number: '0011', holder: 'HOUSE' }],
  sorting: 1,
  enabled: true,
  status: 'active',
  version: 7,
};

const withdrawal = {
  id: '9',
  reference: 'WABCDEFGHIJK',
  status: 'REVIEW',
  memberId: '21',
  member: 'minhanh92',
  amount: 600_000,
  fee: 0,
  paid: 600_000,
  currency: 'VND',
  bank: 'VCB',
  lastFour: '2418',
  createdAt: 1,
  version: 2,
  holder: 'NGUYEN VAN AN',
  gateways: [],
  holdId: '77',
  twoPeople: true,
  steps: [{ status: 'REQUESTED', at: 1 }],
  signals: [{ code: 'first_payout', alert: true, value: '0' }],
  notices: [],
};

const permissions = ['setting.edit', 'withdrawal.review', 'withdrawal.approve', 'deposit.confirm'];

function openScreen(address: string, responses: Record<string, unknown> = {}) {
  const requests = answerWith({
    'GET /ops/v1/gateways': { list: [gateway], next: '' },
    'GET /ops/v1/methods': { list: [method], next: '' },
    'GET /ops/v1/first-steps': { currency: 'VND' },
    'GET /ops/v1/withdrawals/9': withdrawal,
    ...responses,
  });
  renderScreen(
    <Switch>
      {cashierRoutes.map(({ path, screen: Screen }) => (
        <Route key={path} path={path} component={Screen} />
      ))}
    </Switch>,
    { permissions, address },
  );
  return requests;
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = (name: string) => screen.findByRole('dialog', { name });

test('the lists of payment methods and gateways filter, sort and open their objects', async () => {
  const requests = openScreen('/gateways?state=active');
  await userEvent.click(await screen.findByRole('cell', { name: 'https://pay.example/api' }));
  expect(location.pathname).toBe('/console/gateways/5');
  const sent = new URL(sentTo(requests, 'GET /ops/v1/gateways')[0]!.url).searchParams;
  expect(sent.get('state')).toBe('active');
  cleanup();
  const ofMethods = openScreen('/methods?kind=qr&sort=name');
  await userEvent.click(await screen.findByRole('cell', { name: 'BANK' }));
  expect(location.pathname).toBe('/console/methods/3');
  const query = new URL(sentTo(ofMethods, 'GET /ops/v1/methods')[0]!.url).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ kind: 'qr', sort: 'name' });
});

test('a rotated key stays visible until the operator has stored it', async () => {
  let version = 4;
  const requests = openScreen('/gateways/5', {
    'GET /ops/v1/gateways': () => ({ list: [{ ...gateway, version }], next: '' }),
    'POST /ops/v1/gateways/5/rotate': () => {
      version += 1;
      return { key: { code: 'G1', keyId: 'k2', key: 'secret-text' } };
    },
  });
  await press('Rotate the key');
  await userEvent.click(
    within(await dialog('Rotate the key')).getByRole('button', { name: 'Rotate the key' }),
  );
  expect(await screen.findByText('secret-text')).toBeVisible();
  // Wait until the gateway has been reloaded.
  await expect.poll(() => sentTo(requests, 'GET /ops/v1/gateways').length).toBeGreaterThan(1);
  expect(screen.getByText('secret-text')).toBeVisible();
  await press('I have stored it');
  await expect.poll(() => screen.queryByText('secret-text')).toBeNull();
});

test('revoking the old key needs a reason', async () => {
  const requests = openScreen('/gateways/5', { 'POST /ops/v1/gateways/5/retire': {} });
  await press('Revoke the old key');
  const form = within(await dialog('Revoke the old key'));
  await userEvent.click(form.getByRole('button', { name: 'Revoke the old key' }));
  expect(sentTo(requests, 'POST /ops/v1/gateways/5/retire')).toHaveLength(0);
  await userEvent.type(form.getByRole('textbox', { name: /Reason/ }), 'It leaked');
  await userEvent.click(form.getByRole('button', { name: 'Revoke the old key' }));
  await expect.poll(() => sentTo(requests, 'POST /ops/v1/gateways/5/retire').length).toBe(1);
  expect(await sentTo(requests, 'POST /ops/v1/gateways/5/retire')[0]?.json()).toEqual({
    version: 4,
    reason: 'It leaked',
  });
});

test('the reconciliation lists the differences', async () => {
  openScreen('/gateways/reconciliation');
  const section = within(await screen.findByRole('region', { name: 'Gate' }));
  expect(section.getByText('VELKPCYPHXCO')).toBeVisible();
  expect(section.getByText('paid, but not credited')).toBeVisible();
});

test('a new gateway shows its first key', async () => {
  const requests = openScreen('/gateways/new', {
    'POST /ops/v1/gateways': { code: 'G2', keyId: 'k1', key: 'first-key' },
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Code' }), 'G2');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Second');
  await userEvent.type(
    screen.getByRole('textbox', { name: "Address of the gateway's calls" }),
    'https://two.example',
  );
  await press('Create');
  expect(await screen.findByText('first-key')).toBeVisible();
  expect(await sentTo(requests, 'POST /ops/v1/gateways')[0]?.json()).toEqual({
    code: 'G2',
    name: 'Second',
    url: 'https://two.example',
    currencies: ['VND'],
    min: 0,
    max: 0,
  });
});

test('saving a payment method first shows the changes', async () => {
  const requests = openScreen('/methods/3', { 'PUT /ops/v1/methods/3': method });
  const minimumInput = await screen.findByRole('textbox', { name: 'Minimum' });
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await userEvent.clear(minimumInput);
  await userEvent.type(minimumInput, 'many');
  expect(await screen.findByText('Enter a number')).toBeVisible();
  await userEvent.clear(minimumInput);
  await userEvent.type(minimumInput, '20000');
  await press('Save');
  const form = within(await dialog('Save'));
  expect(form.getByText('10000')).toBeVisible();
  expect(form.getByText('20000')).toBeVisible();
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sentTo(requests, 'PUT /ops/v1/methods/3').length).toBe(1);
  expect(await sentTo(requests, 'PUT /ops/v1/methods/3')[0]?.json()).toMatchObject({
    min: 20_000,
    feeRate: 0.01,
    version: 7,
    accounts: method.accounts,
  });
});

test('the form of a new payment method keeps its values when the server refuses them', async () => {
  openScreen('/methods/new', {
    'POST /ops/v1/methods': new Failing(409, 'deposit.method_exists'),
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Code' }), 'BANK');
  await press('Create');
  expect((await screen.findAllByText('Enter a number')).length).toBe(2);
  await userEvent.type(screen.getByRole('textbox', { name: 'Minimum' }), '1');
  await userEvent.type(screen.getByRole('textbox', { name: 'Maximum' }), '2');
  await press('Create');
  expect(await screen.findByText('This code is used already.')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Code' })).toHaveValue('BANK');
});

test('a new payment method has the currency of the site, whose payment codes it offers', async () => {
  openScreen('/methods/new', { 'GET /ops/v1/first-steps': { currency: 'CNY' } });
  expect(await screen.findByRole('combobox', { name: 'Currency' })).toHaveValue('CNY');
  const kind = screen.getByRole('combobox', { name: 'Kind' });
  expect(kind).toHaveValue('Bank transfer');
  await userEvent.click(kind);
  expect(screen.queryByRole('option', { name: 'Payment code', hidden: true })).toBeNull();
});

test('a withdrawal above the limit says that two people must approve it, and waits for the second', async () => {
  const requests = openScreen('/withdrawals/9', {
    'POST /ops/v1/withdrawals/9/approve': { approval: { id: '4', state: 'waiting' } },
  });
  expect(await screen.findByText(/two different people must approve/)).toBeVisible();
  await press('Approve');
  const form = within(await dialog('Approve'));
  await userEvent.click(form.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(/Waits for a second person/)).toBeVisible();
  expect(await sentTo(requests, 'POST /ops/v1/withdrawals/9/approve')[0]?.json()).toEqual({
    version: 2,
  });
});

test('a withdrawal without a gateway is paid by hand with the reference of the bank', async () => {
  const requests = openScreen('/withdrawals/9', {
    'GET /ops/v1/withdrawals/9': { ...withdrawal, status: 'SENT', version: 5 },
    'POST /ops/v1/withdrawals/9/paid': withdrawal,
  });
  await press('Mark as paid');
  const form = within(await dialog('Mark as paid'));
  await userEvent.type(form.getByRole('textbox', { name: /Reference of the bank/ }), ' FT26 ');
  await userEvent.click(form.getByRole('button', { name: 'Mark as paid' }));
  await expect.poll(() => sentTo(requests, 'POST /ops/v1/withdrawals/9/paid').length).toBe(1);
  expect(await sentTo(requests, 'POST /ops/v1/withdrawals/9/paid')[0]?.json()).toEqual({
    version: 5,
    bankReference: 'FT26',
  });
});

test('a payout that was sent by hand can be ended as failed, and not refused', async () => {
  openScreen('/withdrawals/9', {
    'GET /ops/v1/withdrawals/9': { ...withdrawal, status: 'SENT', version: 5 },
  });
  expect(await screen.findByRole('button', { name: 'End as failed' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Refuse' })).toBeNull();
});

test('a payout that the gateway does not pay is ended as failed with a reason, by two people', async () => {
  const requests = openScreen('/withdrawals/9', {
    'GET /ops/v1/withdrawals/9': { ...withdrawal, status: 'SENT', gateway: 'G1', version: 5 },
    'POST /ops/v1/withdrawals/9/fail': { approval: { id: '4', state: 'waiting' } },
  });
  await press('End as failed');
  const form = within(await dialog('End as failed'));
  await userEvent.type(form.getByRole('textbox', { name: /Reason/ }), 'The gateway closed');
  await userEvent.click(form.getByRole('button', { name: 'End as failed' }));
  expect(await screen.findByText(/Waits for a second person/)).toBeVisible();
  expect(await sentTo(requests, 'POST /ops/v1/withdrawals/9/fail')[0]?.json()).toEqual({
    version: 5,
    reason: 'The gateway closed',
  });
});

test('a deposit shows its proof and why an operator must look at it', async () => {
  openScreen('/deposits/8', {
    'GET /ops/v1/deposits/8': {
      ...method,
      id: '8',
      reference: 'VELKPCYPHXCO',
      status: 'CLAIMED',
      kind: 'qr',
      method: 'BANK',
      memberId: '21',
      member: 'minhanh92',
      amount: 100_000,
      fee: 0,
      createdAt: 1,
      proof: true,
      queue: 'claimed',
      notices: [],
      version: 3,
    },
  });
  expect(await screen.findByRole('img', { name: 'Proof of payment' })).toHaveAttribute(
    'src',
    '/ops/v1/deposits/8/proof',
  );
  expect(screen.getByText('The member uploaded a proof')).toBeVisible();
});
