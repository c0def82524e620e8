import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import BankCardsScreen from './BankCardsScreen.tsx';
import WithdrawScreen from './WithdrawScreen.tsx';

const card = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  bank: 'VCB',
  bankName: 'Vietcombank',
  lastFour: `241${id}`,
  holder: 'NGUYEN VAN AN',
  default: id === '8',
  ...more,
});

const banks = [
  { code: 'VCB', name: 'Vietcombank' },
  { code: 'ACB', name: 'ACB' },
];

const terms = (more: Record<string, unknown> = {}) => ({
  min: 50_000,
  max: 10_000_000,
  perDay: 5,
  left: 3,
  fee: 5000,
  available: 2_000_000,
  locked: 0,
  turnover: { required: 0, done: 0 },
  identity: 'VERIFIED',
  open: true,
  currency: 'VND',
  ...more,
});

const withdrawal = (more: Record<string, unknown> = {}) => ({
  id: '7',
  reference: 'WABCDEFGHIJK',
  status: 'REVIEW',
  amount: 500_000,
  fee: 5000,
  paid: 495_000,
  currency: 'VND',
  bank: 'VCB',
  lastFour: '2418',
  at: 1,
  endedAt: null,
  steps: [
    { status: 'REQUESTED', at: 1 },
    { status: 'REVIEW', at: 2 },
  ],
  ...more,
});

const security = {
  level: 3,
  hasPassword: true,
  mobile: '',
  email: '',
  paymentPassword: true,
  paymentReset: '',
  question: '',
  sessions: 1,
};
const report = (...list: unknown[]) => ({
  list,
  next: '',
  sums: { count: 0, amount: 0, fee: 0, paid: 0, currency: 'VND' },
});

async function show(answers: Record<string, unknown> = {}, address = '/m/withdraw') {
  await clearScreen();
  history.replaceState(null, '', address);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/transaction/withdraw/terms': terms(),
    'GET /wps/member/bankCard': { list: [card('8'), card('9')], banks },
    'GET /wps/member/security': security,
    'GET /wps/member/kyc': { state: 'VERIFIED', images: 0, name: 'NGUYEN VAN AN' },
    'GET /wps/report/withdrawTransaction': report(),
    'GET /wps/transaction/withdraw/7': withdrawal(),
    'POST /wps/transaction/withdraw': withdrawal(),
    'POST /wps/member/bankCard': card('3'),
    'PUT /wps/member/bankCard/9': {},
    'DELETE /wps/member/bankCard/9': {},
    ...answers,
  });
  renderScreen(
    <>
      {address.startsWith('/m/withdraw') ? <WithdrawScreen /> : <BankCardsScreen />}
      <ToastViewport />
    </>,
  );
  return requests;
}

beforeEach(() => {
  sessionStorage.clear();
  clearSession();
  toast.hide();
  history.replaceState(null, '', '/m/home');
  dispatchEvent(new Event('replaceState'));
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name, exact: true } as never));

async function typePassword(digits: string) {
  const sheet = await screen.findByRole('dialog', { name: 'Payment password' });
  for (const digit of digits)
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    await userEvent.click(within(sheet).getByRole('button', { name: digit }));
}

test('OS-21 part: a withdrawal is sent once with the payment password, and its steps show', async () => {
  const requests = await show();
  await userEvent.click(await screen.findByRole('radio', { name: 'Vietcombank •••• 2419' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Amount' }), '500.000');
  expect(screen.getByText('495,000 ₫')).toBeVisible();
  await press('Continue');
  await typePassword('123456');
  const steps = await screen.findByRole('list', { name: 'Steps' });
  expect(within(steps).getAllByRole('listitem')).toHaveLength(4);
  expect(steps.querySelector('[aria-current="step"]')?.textContent).toContain('Review');
  const sent = sentTo(requests, 'POST /wps/transaction/withdraw');
  expect(sent).toHaveLength(1);
  expect(await sent[0]?.json()).toEqual({
    cardId: '9',
    amount: 500_000,
    paymentPassword: '123456',
  });
  expect(sent[0]?.headers.get('Idempotency-Key')).toBeTruthy();
  expect(location.search).toBe('?withdrawal=7');
});

test('a wrong payment password is asked for again, and the amount stays', async () => {
  const requests = await show({
    'POST /wps/transaction/withdraw': new Failing(422, 'withdraw.password', {
      field: 'paymentPassword',
    }),
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Continue');
  await typePassword('000000');
  expect(await screen.findByText('The payment password is not right')).toBeVisible();
  const field = screen.getByLabelText('Payment password, 6 digits');
  expect((field as HTMLInputElement).value).toBe('');
  expect(sentTo(requests, 'POST /wps/transaction/withdraw')).toHaveLength(1);
});

test('a refusal of the amount closes the sheet and shows at the amount', async () => {
  await show({
    'POST /wps/transaction/withdraw': new Failing(422, 'withdraw.balance', { field: 'amount' }),
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Continue');
  await typePassword('123456');
  expect(await screen.findByText('This is more than you can withdraw')).toBeInTheDocument();
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const amount = screen.getByRole('textbox', { name: 'Amount' });
  expect((amount as HTMLInputElement).value).toBe('500000');
  await userEvent.type(amount, '0');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['10000', 'The minimum is 50,000 ₫'],
  ['3000000', 'The maximum is 2,000,000 ₫'],
  ['0', 'Enter an amount above zero'],
  ['-5', 'Enter an amount, for example 100,000 ₫'],
])('the amount %s is refused before it is sent', async (typed, message) => {
  const requests = await show();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), typed);
  await press('Continue');
  expect(await screen.findByText(message)).toBeVisible();
  expect(sentTo(requests, 'POST /wps/transaction/withdraw')).toHaveLength(0);
});

test('RT-08 the maximum is what is available', async () => {
  await show();
  await press('Maximum');
  const amount = screen.getByRole('textbox', { name: 'Amount' });
  expect((amount as HTMLInputElement).value).toBe('2000000');
});

test.each([
  [10_000_000, 'At least 50,000 ₫'],
  [1_000_000, '50,000 ₫ – 1,000,000 ₫'],
])('the range shows the maximum %i only if the balance reaches it', async (max, range) => {
  await show({ 'GET /wps/transaction/withdraw/terms': terms({ max }) });
  const amount = await screen.findByRole('region', { name: 'Amount' });
  expect(amount.textContent?.replaceAll('\u00a0', ' ')).toContain(range);
});

test('without a payment password, the sheet leads to its setting', async () => {
  await show({ 'GET /wps/member/security': { ...security, paymentPassword: false } });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Continue');
  const link = await screen.findByRole('link', { name: 'Set a payment password' });
  expect(link.getAttribute('href')).toBe('/m/member/security?part=payment');
});

test.each([
  ['NONE', 'Start the identity check'],
  ['WAITING', 'See the identity check'],
  ['REFUSED', 'Send documents again'],
])('OS-21 part: an identity that is %s comes first', async (identity, action) => {
  await show({ 'GET /wps/transaction/withdraw/terms': terms({ identity }) });
  const link = await screen.findByRole('link', { name: action });
  expect(link.getAttribute('href')).toBe('/m/member/kyc');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('the turnover shows as progress and blocks the form', async () => {
  await show({
    'GET /wps/transaction/withdraw/terms': terms({
      available: 0,
      locked: 2_000_000,
      turnover: { required: 1_000_000, done: 770_000 },
    }),
  });
  const progress = await screen.findByRole('progressbar', { name: 'Turnover' });
  expect(progress.getAttribute('aria-valuenow')).toBe('77');
  expect(await screen.findByText('230,000 ₫')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Continue' })).toBeDisabled();
});

test('without a card, the screen leads to a new one and back', async () => {
  await show({ 'GET /wps/member/bankCard': { list: [], banks } });
  const link = await screen.findByRole('link', { name: 'Add a bank account to withdraw to' });
  expect(link.getAttribute('href')).toBe('/m/member/bankCards?view=add&return=%2Fm%2Fwithdraw');
});

test('RT-08 an open withdrawal leads to its steps, and the day’s last one closes the form', async () => {
  await show({
    'GET /wps/report/withdrawTransaction': report(withdrawal()),
    'GET /wps/transaction/withdraw/terms': terms({ open: false, left: 0 }),
  });
  const open = await screen.findByRole('list', { name: 'Open withdrawals' });
  expect(within(open).getByRole('link').getAttribute('href')).toBe('/m/withdraw?withdrawal=7');
  expect(await screen.findByText(/No more withdrawals are possible today/)).toBeVisible();
});

test('a refused withdrawal shows the reason and that the money is back', async () => {
  await show(
    {
      'GET /wps/transaction/withdraw/7': withdrawal({
        status: 'REFUSED',
        reason: 'The name differs',
        endedAt: 3,
        steps: [
          { status: 'REQUESTED', at: 1 },
          { status: 'REFUSED', at: 3 },
        ],
      }),
    },
    '/m/withdraw?withdrawal=7',
  );
  expect(await screen.findByText('The name differs')).toBeVisible();
  expect(screen.getByText('The money is back in your wallet.')).toBeVisible();
});

test('PP-09 part: an open withdrawal offers no way to take it back', async () => {
  await show({}, '/m/withdraw?withdrawal=7');
  expect(await screen.findByText(/cannot be used for bets any more/)).toBeVisible();
  const buttons = screen.getAllByRole('button').map((each) => each.getAttribute('aria-label'));
  expect(buttons).toEqual(['Copy Reference']);
});

test('OS-21 part: the history lists withdrawals, and offers one when it is empty', async () => {
  await show(
    { 'GET /wps/report/withdrawTransaction': report(withdrawal({ status: 'PAID' })) },
    '/m/withdraw?view=history',
  );
  const list = await screen.findByRole('list', { name: 'Your withdrawals' });
  expect(within(list).getByText('Paid out')).toBeVisible();
  await show({}, '/m/withdraw?view=history');
  expect(await screen.findByText('No withdrawals yet')).toBeVisible();
});

test('a failed load can be retried', async () => {
  let fails = true;
  await show({
    'GET /wps/transaction/withdraw/terms': () =>
      fails ? new Failing(503, 'system.unavailable') : terms(),
  });
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  fails = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('textbox', { name: 'Amount' })).toBeVisible();
});

const cardsAddress = '/m/member/bankCards';

test('OS-19 part: cards are masked, one becomes the default, and one is removed after a question', async () => {
  const requests = await show({}, cardsAddress);
  const list = await screen.findByRole('list', { name: 'Your bank accounts' });
  expect(within(list).getByText('•••• •••• 2418')).toBeVisible();
  await press('Make it the default');
  expect(await screen.findByText('This account is the default now')).toBeVisible();
  expect(sentTo(requests, 'PUT /wps/member/bankCard/9')).toHaveLength(1);
  const [, second] = within(list).getAllByRole('button', { name: 'Remove' });
  await userEvent.click(second as HTMLElement);
  const question = await screen.findByRole('dialog');
  await userEvent.click(within(question).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Account removed')).toBeVisible();
  expect(sentTo(requests, 'DELETE /wps/member/bankCard/9')).toHaveLength(1);
});

test('OS-19 part: a card is added with a bank of the list, the verified name and the payment password', async () => {
  const requests = await show({}, `${cardsAddress}?view=add`);
  const holder = await screen.findByRole('textbox', { name: 'Account holder' });
  expect((holder as HTMLInputElement).value).toBe('NGUYEN VAN AN');
  expect((holder as HTMLInputElement).readOnly).toBe(true);
  await press('Add the account');
  expect(await screen.findAllByText('Choose a bank')).not.toHaveLength(0);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Bank' }), 'ACB');
  await userEvent.type(screen.getByRole('textbox', { name: 'Account number' }), '0011 0019');
  await press('Add the account');
  await typePassword('123456');
  expect(await screen.findByText('Account added')).toBeVisible();
  const sent = sentTo(requests, 'POST /wps/member/bankCard');
  expect(sent).toHaveLength(1);
  expect(await sent[0]?.json()).toEqual({
    bank: 'ACB',
    number: '0011 0019',
    default: false,
    paymentPassword: '123456',
  });
  await expect.poll(() => location.pathname + location.search).toBe(cardsAddress);
});

test('cards need a verified identity', async () => {
  await show(
    {
      'GET /wps/member/kyc': { state: 'NONE', images: 0 },
      'GET /wps/member/bankCard': { list: [], banks },
    },
    `${cardsAddress}?view=add`,
  );
  expect(await screen.findByRole('link', { name: 'Start the identity check' })).toBeVisible();
});
