import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { limitKinds, limitPeriods } from '../../api/limits.ts';
import { clearSession, startSession } from '../../api/session.ts';
import { upload } from '../../api/upload.ts';
import { onLayer } from '../../lib/layers.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { advanceTime } from '../../lib/testing/time.ts';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { ToastViewport } from '../../ui/Toast.tsx';
import DepositScreen from './DepositScreen.tsx';

vi.mock('../../api/upload.ts', () => ({ upload: vi.fn() }));
vi.mock('../../lib/upright-picture.ts', () => ({ uprightPicture: vi.fn() }));

const method = (code: string, kind: string, more: Record<string, unknown> = {}) => ({
  code,
  kind,
  name: code,
  currency: 'VND',
  min: 50_000,
  max: 10_000_000,
  fee: 0,
  feeRate: 0,
  opensAt: '00:00',
  closesAt: '00:00',
  open: true,
  banks: [],
  ...more,
});

const limits = (deposit: number | null, used = 0) => ({
  currency: 'VND',
  limits: limitKinds.flatMap((kind) =>
    limitPeriods.map((period) => ({
      kind,
      period,
      amount: kind === 'deposit' && period === 'day' ? deposit : null,
      used,
      pending: null,
    })),
  ),
  realityCheck: { minutes: null, choices: [], played: null },
  break: null,
});

const deposit = (more: Record<string, unknown> = {}) => ({
  id: '7',
  reference: 'VELKPCYPHXCO',
  status: 'WAITING',
  kind: 'qr',
  amount: 500_000,
  fee: 0,
  currency: 'VND',
  expiresAt: Date.now() + 600_000,
  qr: '000201',
  bank: { code: 'VCB', name: 'Vietcombank', number: '0001', holder: 'FAIRGROUND DEMO' },
  ...more,
});

const row = { ...deposit(), at: 1, method: 'VIETQR', endedAt: null };
const sums = { count: 0, amount: 0, fee: 0, credited: 0, currency: 'VND' };

async function show(answers: Record<string, unknown> = {}, query = '') {
  cleanup();
  await expect.poll(() => onLayer()).toBe(false);
  history.replaceState(null, '', '/m/home'); // another address drops the draft
  history.replaceState(null, '', `/m/voucherCenter${query}`);
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/transaction/deposit/methods': [method('VIETQR', 'qr'), method('SANDBOX', 'pg')],
    'GET /wps/member/limits': limits(null),
    'GET /wps/report/depositTransaction': { list: [row], next: '', sums },
    'GET /wps/transaction/deposit/7': deposit(),
    'POST /wps/transaction/deposit/qr': deposit(),
    ...answers,
  });
  renderScreen(
    <>
      <DepositScreen />
      <ToastViewport />
    </>,
  );
  return requests;
}

beforeEach(() => {
  sessionStorage.clear();
  clearSession();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

afterEach(() => void vi.useRealTimers());

test('the list names the method, or has its code when it is no longer offered', async () => {
  const methods = [method('VIETQR', 'qr', { name: 'Bank QR' })];
  const list = [row, { ...row, id: '8', method: 'OLD', reference: 'OLDREFERENCE' }];
  await show(
    {
      'GET /wps/transaction/deposit/methods': methods,
      'GET /wps/report/depositTransaction': { list, next: '', sums },
    },
    '?view=history',
  );
  const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(await screen.findByText('Bank QR')).toBeVisible();
  expect(rows()[0]).toContain('Bank QR · VELKPCYPHXCO');
  expect(rows()[1]).toContain('OLD · OLDREFERENCE');
});

const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name, exact: true } as never));

test('OS-12 part: a deposit is sent once and its code and bank details show', async () => {
  const requests = await show();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500.000');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Make the payment code' }));
  expect(await screen.findByRole('img', { name: 'Payment code' })).toBeVisible();
  const sent = sentTo(requests, 'POST /wps/transaction/deposit/qr');
  expect(sent.length).toBe(1);
  expect(await sent[0]?.json()).toEqual({ method: 'VIETQR', amount: 500_000 });
  expect(sent[0]?.headers.get('Idempotency-Key')).toBeTruthy();
  for (const text of ['Vietcombank', '0001', 'FAIRGROUND DEMO', 'VELKPCYPHXCO'])
    expect(screen.getByText(text)).toBeVisible();
  expect(location.search).toBe('?deposit=7');
});

test('OS-12 part: a method outside its hours is disabled and says why', async () => {
  await show({
    'GET /wps/transaction/deposit/methods': [
      method('NIGHT', 'mt', { open: false, opensAt: '08:00', closesAt: '22:00' }),
      method('VIETQR', 'qr', { feeRate: 0.018 }),
    ],
  });
  const closed = await screen.findByRole('radio', { name: /NIGHT/ });
  expect(closed).toHaveProperty('disabled', true);
  expect(screen.getByText('Open from 08:00 to 22:00')).toBeVisible();
  expect(screen.getByText('Fee 1.8%')).toBeVisible();
});

test('quick amounts above the member’s own limit are locked', async () => {
  await show({ 'GET /wps/member/limits': limits(600_000, 200_000) });
  const quick = await screen.findByRole('group', { name: 'Quick amounts' });
  await screen.findByText('Above the limit that you have set');
  const locked = within(quick)
    .getAllByRole('button')
    .filter((button) => (button as HTMLButtonElement).disabled);
  expect(locked.length).toBe(4);
});

test('PP-05 part: a limit is offered before the first deposit', async () => {
  const requests = await show({
    'GET /wps/report/depositTransaction': { list: [], next: '', sums },
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Make the payment code');
  await screen.findByText('Set a deposit limit first?');
  expect(sentTo(requests, 'POST /wps/transaction/deposit/qr').length).toBe(0);
  await press('Continue without a limit');
  await screen.findByRole('img', { name: 'Payment code' });
  expect(sentTo(requests, 'POST /wps/transaction/deposit/qr').length).toBe(1);
});

test('PP-05 part: a deposit waits until it is known whether it is the first', async () => {
  const deposits = Promise.withResolvers<unknown>();
  const requests = await show({ 'GET /wps/report/depositTransaction': () => deposits.promise });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Make the payment code');
  expect(screen.queryByText('Set a deposit limit first?')).toBeNull();
  expect(sentTo(requests, 'POST /wps/transaction/deposit/qr')).toHaveLength(0);
  deposits.resolve({ list: [], next: '', sums });
  await screen.findByText('Set a deposit limit first?');
  expect(sentTo(requests, 'POST /wps/transaction/deposit/qr')).toHaveLength(0);
});

test('PP-05 part: a limit is offered if the earlier deposits cannot be loaded', async () => {
  const requests = await show({
    'GET /wps/report/depositTransaction': new Failing(500, 'system.error'),
  });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '500000');
  await press('Make the payment code');
  await screen.findByText('Set a deposit limit first?');
  expect(sentTo(requests, 'POST /wps/transaction/deposit/qr')).toHaveLength(0);
});

test('OS-12 part: a photo of the payment is sent upright', async () => {
  const upright = new File(['upright'], 'bill.jpg', { type: 'image/jpeg' });
  vi.mocked(uprightPicture).mockResolvedValue(upright);
  vi.mocked(upload).mockResolvedValue({});
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  await show({}, '?deposit=7');
  await press('I have paid');
  const photo = new File(['sideways'], 'bill.jpg', { type: 'image/jpeg' });
  await userEvent.upload(
    await screen.findByLabelText('Picture of the payment', { selector: 'input' }),
    photo,
  );
  await press('Send the picture');
  await screen.findByText('We check your payment now');
  expect(vi.mocked(uprightPicture).mock.calls[0]?.[0]).toBe(photo);
  const [path, form] = vi.mocked(upload).mock.calls[0] ?? [];
  expect(path).toBe('/wps/transaction/deposit/7/proof');
  expect(form?.get('image')).toHaveProperty('size', upright.size);
});

test('RT-07 an open deposit leads back to its page', async () => {
  await show();
  const open = await screen.findByRole('list', { name: 'Open deposits' });
  expect(within(open).getByRole('link').getAttribute('href')).toBe('/m/voucherCenter?deposit=7');
});

test('RT-07 a credited deposit shows the balance, a refused one the reason', async () => {
  await show({ 'GET /wps/transaction/deposit/7': deposit({ status: 'CREDITED' }) }, '?deposit=7');
  expect(await screen.findByRole('heading', { name: 'Credited' })).toBeVisible();
  await show(
    { 'GET /wps/transaction/deposit/7': deposit({ status: 'REFUSED', reason: 'Wrong name' }) },
    '?deposit=7',
  );
  expect(await screen.findByText('Wrong name')).toBeVisible();
});

test('during a break nothing can be sent', async () => {
  await show({
    'GET /wps/member/limits': {
      ...limits(null),
      break: { kind: 'timeOut', period: '24h', since: 1, until: 2, longer: [] },
    },
  });
  await screen.findByText('You are taking a break');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('a deposit is cancelled only after a question', async () => {
  let status = 'WAITING';
  const requests = await show(
    {
      'GET /wps/transaction/deposit/7': () => deposit({ status }),
      'DELETE /wps/transaction/deposit/7': () => {
        status = 'CANCELLED';
        return deposit({ status });
      },
    },
    '?deposit=7',
  );
  const cancelled = () => sentTo(requests, 'DELETE /wps/transaction/deposit/7');
  await press('Cancel the deposit');
  await screen.findByText('Do not cancel it if you have already paid.');
  await press('Keep it');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(cancelled()).toHaveLength(0);
  await press('Cancel the deposit');
  const question = within(await screen.findByRole('dialog', { name: 'Cancel this deposit?' }));
  await userEvent.click(question.getByRole('button', { name: 'Cancel the deposit' }));
  expect(await screen.findByRole('heading', { name: 'Cancelled' })).toBeVisible();
  expect(cancelled()).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'New deposit' })).toBeVisible();
});

test('a cancellation that the server refuses says why and shows the new status', async () => {
  let status = 'WAITING';
  await show(
    {
      'GET /wps/transaction/deposit/7': () => deposit({ status }),
      'DELETE /wps/transaction/deposit/7': () => {
        status = 'CREDITED';
        return new Failing(409, 'deposit.state');
      },
    },
    '?deposit=7',
  );
  await press('Cancel the deposit');
  const question = within(await screen.findByRole('dialog', { name: 'Cancel this deposit?' }));
  await userEvent.click(question.getByRole('button', { name: 'Cancel the deposit' }));
  expect(await screen.findByText(/This deposit has ended or is already/)).toBeVisible();
  expect(await screen.findByRole('heading', { name: 'Credited' })).toBeVisible();
});

test.each([
  { name: 'Bank', text: 'Vietcombank' },
  { name: 'Account number', text: '0001' },
  { name: 'Account holder', text: 'FAIRGROUND DEMO' },
  { name: 'Amount', text: '500000' },
  { name: 'Transfer note', text: 'VELKPCYPHXCO' },
])('the details can be copied as a bank app needs them: $name', async ({ name, text }) => {
  const user = userEvent.setup();
  await show({}, '?deposit=7');
  const button = await screen.findByRole('button', { name: `Copy ${name}` });
  await user.click(button);
  await waitFor(() => expect(button).toHaveTextContent('Copied'));
  expect(await navigator.clipboard.readText()).toBe(text);
});

test('the payment code is saved as a picture named after the reference', async () => {
  const drawn = { fillRect: vi.fn(), scale: vi.fn(), fill: vi.fn(), fillStyle: '' };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(drawn as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['png'], { type: 'image/png' })),
  );
  vi.stubGlobal('Path2D', class {});
  URL.createObjectURL = () => 'blob:code';
  URL.revokeObjectURL = () => {};
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.href} ${this.download}`);
  });
  await show({}, '?deposit=7');
  await press('Save the code');
  await waitFor(() => expect(saved).toEqual(['blob:code VELKPCYPHXCO.png']));
  expect(drawn.fill).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('a code that cannot be saved as a picture says what to do instead', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  await show({}, '?deposit=7');
  await press('Save the code');
  expect(
    await screen.findByText('The picture could not be saved. Take a screenshot instead.'),
  ).toBeVisible();
});

test('the time left counts down, and at its end the page shows what the server decided', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  let status = 'WAITING';
  const expiresAt = Date.now() + 3_000;
  await show(
    { 'GET /wps/transaction/deposit/7': () => deposit({ status, expiresAt }) },
    '?deposit=7',
  );
  const timer = await screen.findByRole('timer');
  expect(timer).toHaveTextContent('Time left0:03');
  advanceTime(2_000);
  expect(timer).toHaveTextContent('Time left0:01');
  status = 'EXPIRED';
  advanceTime(1_000);
  expect(await screen.findByRole('heading', { name: 'Expired' })).toBeVisible();
  expect(screen.getByText('VELKPCYPHXCO')).toBeVisible();
  expect(screen.queryByRole('timer')).toBeNull();
});
