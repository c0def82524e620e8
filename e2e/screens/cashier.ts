import { expect, type Page } from '@playwright/test';

import { alterAnswer } from '../support/network.ts';
import type { Screen } from './screen.ts';

const minute = 60_000;

const card = (id: string, bankName: string, isDefault: boolean) => ({
  id,
  bank: id === '1' ? 'VCB' : 'TCB',
  bankName,
  lastFour: id === '1' ? '2418' : '9051',
  holder: 'NGUYEN THI MINH ANH',
  default: isDefault,
});

const cards = [card('1', 'Vietcombank', true), card('2', 'Techcombank', false)];

const terms = {
  min: 100_000,
  max: 200_000_000,
  perDay: 5,
  left: 3,
  fee: 11_000,
  available: 10_280_500,
  locked: 0,
  turnover: { required: 2_000_000, done: 2_000_000 },
  identity: 'VERIFIED',
  open: true,
};

function withdrawal(status: string, reached: string[]) {
  const at = new Date(2026, 10, 15, 14, 32).getTime();
  return {
    id: '7',
    reference: 'WK7QPZ2M4XLT',
    status,
    amount: 5_000_000,
    fee: 11_000,
    paid: 4_989_000,
    currency: 'VND',
    bank: 'VCB',
    lastFour: '2418',
    at,
    endedAt: null,
    reason: status === 'REFUSED' ? 'Tên tài khoản không khớp với hồ sơ' : undefined,
    steps: reached.map((step, i) => ({ status: step, at: at + i * 7 * minute })),
  };
}

const steps = ['REQUESTED', 'REVIEW', 'APPROVED', 'SENT', 'PAID'];

/** Mocks a verified member with two bank accounts. */
async function mockMember(page: Page, overrides: object = {}): Promise<void> {
  await alterAnswer(page, '**/wps/transaction/withdraw/terms', (value) => ({
    ...value,
    ...terms,
    ...overrides,
  }));
  await alterAnswer(page, '**/wps/member/bankCard', (value) => ({ ...value, list: cards }));
  await alterAnswer(page, '**/wps/member/kyc', (value) => ({
    ...value,
    state: 'VERIFIED',
    name: 'NGUYEN THI MINH ANH',
  }));
  await alterAnswer(page, '**/wps/member/security', (value) => ({
    ...value,
    paymentPassword: true,
  }));
}

async function mockWithdrawal(page: Page, value: object): Promise<void> {
  await page.route('**/wps/transaction/withdraw/7', (route) =>
    route.fulfill({ json: { success: true, value } }),
  );
}

const expectHeading = async (page: Page) => expect(page.locator('h1')).toBeVisible();
const expectAmountField = async (page: Page) =>
  expect(page.locator('main input[name="amount"]')).toBeVisible();

export const cashierScreens: Screen[] = [
  {
    name: 'deposit',
    path: '/m/voucherCenter',
    member: true,
    fullPage: true,
    expectReady: expectAmountField,
  },
  {
    name: 'withdraw',
    path: '/m/withdraw',
    member: true,
    fullPage: true,
    prepare: (page) => mockMember(page),
    expectReady: expectAmountField,
  },
  {
    name: 'withdraw with locked money',
    soakOnly: true,
    path: '/m/withdraw',
    member: true,
    fullPage: true,
    prepare: (page) =>
      mockMember(page, {
        available: 0,
        locked: 10_280_500,
        turnover: { required: 17_600_000, done: 13_500_000 },
      }),
    expectReady: async (page) => expect(page.getByRole('progressbar')).toBeVisible(),
  },
  {
    name: 'withdraw before the identity check',
    soakOnly: true,
    path: '/m/withdraw',
    member: true,
    prepare: (page) => mockMember(page, { identity: 'NONE' }),
    expectReady: async (page) => expect(page.locator('main a[href="/m/member/kyc"]')).toBeVisible(),
  },
  {
    name: 'payment password of a withdrawal',
    path: '/m/withdraw',
    member: true,
    overlay: true,
    prepare: (page) => mockMember(page),
    reach: async (page) => {
      await page.locator('main input[name="amount"]').fill('5000000');
      await page.locator('main button[type="submit"]').tap();
      await page.getByRole('dialog').getByRole('button', { name: '1', exact: true }).tap();
    },
    expectReady: async (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  {
    name: 'withdrawal in review',
    path: '/m/withdraw?withdrawal=7',
    member: true,
    fullPage: true,
    prepare: (page) => mockWithdrawal(page, withdrawal('REVIEW', steps.slice(0, 2))),
    expectReady: async (page) => expect(page.locator('main ol li')).toHaveCount(4),
  },
  {
    name: 'refused withdrawal',
    soakOnly: true,
    path: '/m/withdraw?withdrawal=7',
    member: true,
    prepare: (page) =>
      mockWithdrawal(page, withdrawal('REFUSED', [...steps.slice(0, 2), 'REFUSED'])),
    expectReady: async (page) => expect(page.locator('main ol li')).toHaveCount(2),
  },
  {
    name: 'withdrawals',
    soakOnly: true,
    path: '/m/withdraw?view=history',
    member: true,
    prepare: (page) =>
      alterAnswer(page, '**/wps/report/withdrawTransaction*', (value) => ({
        ...value,
        list: ['REVIEW', 'PAID', 'REFUSED', 'FAILED'].map((status, i) => ({
          ...withdrawal(status, []),
          id: String(i),
        })),
      })),
    expectReady: async (page) => expect(page.locator('main li')).toHaveCount(4),
  },
  {
    name: 'bank cards',
    path: '/m/member/bankCards',
    member: true,
    fullPage: true,
    prepare: (page) => mockMember(page),
    expectReady: async (page) => expect(page.locator('main article')).toHaveCount(2),
  },
  {
    name: 'a new bank card',
    soakOnly: true,
    path: '/m/member/bankCards?view=add',
    member: true,
    prepare: (page) => mockMember(page),
    expectReady: async (page) => expect(page.locator('main input[name="number"]')).toBeVisible(),
  },
  {
    name: 'transactions',
    soakOnly: true,
    path: '/m/member/transactions',
    member: true,
    fullPage: true,
    expectReady: expectHeading,
  },
  {
    name: 'wallet transfer',
    soakOnly: true,
    path: '/m/member/transfer',
    member: true,
    expectReady: expectHeading,
  },
];
