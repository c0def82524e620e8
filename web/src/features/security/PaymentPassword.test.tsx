import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';

import { sentTo } from '../../lib/testing/answers.ts';
import { unprotected, sheetToClose, input, logIn, save, show, type } from './testing.tsx';

beforeEach(logIn);

test('the first payment password needs the login password, a change needs the old one', async () => {
  const first = await show('payment');
  expect(await screen.findByText(/^6 digits, not all the same and not in a row/)).toBeVisible();
  await type('paymentPassword', '13579');
  await type('confirmPaymentPassword', '135790');
  await type('password', 'Secret123');
  await save();
  const field = await input('paymentPassword');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(field, '0');
  await save();
  await sheetToClose();
  expect(await sentTo(first.requests, 'PUT /wps/member/paymentPassword')[0]?.json()).toEqual({
    password: 'Secret123',
    paymentPassword: '135790',
    confirmPaymentPassword: '135790',
  });
  first.unmount();

  const { requests } = await show('payment', {
    'GET /wps/member/security': { ...unprotected, paymentPassword: true },
  });
  await type('oldPaymentPassword', '135790');
  expect(document.querySelector('input[name=password]')).toBeNull();
  await type('paymentPassword', '246813');
  await type('confirmPaymentPassword', '246813');
  await save();
  await sheetToClose();
  expect(await sentTo(requests, 'PUT /wps/member/paymentPassword')[0]?.json()).toEqual({
    oldPaymentPassword: '135790',
    paymentPassword: '246813',
    confirmPaymentPassword: '246813',
  });
});

test('a forgotten payment password needs the login password and the security answer, or a code', async () => {
  const lost = {
    ...unprotected,
    paymentPassword: true,
    question: 'first_pet',
    paymentReset: 'answer',
  };
  const answered = await show('payment', { 'GET /wps/member/security': lost });
  await userEvent.click(await screen.findByRole('button', { name: 'Forgotten?' }));
  await type('paymentPassword', '246813');
  await type('confirmPaymentPassword', '246813');
  await type('password', 'Secret123');
  await type('answer', 'Rex');
  await save();
  await sheetToClose();
  expect(await sentTo(answered.requests, 'PUT /wps/member/paymentPassword')[0]?.json()).toEqual({
    password: 'Secret123',
    answer: 'Rex',
    paymentPassword: '246813',
    confirmPaymentPassword: '246813',
  });
  answered.unmount();

  const { requests } = await show('payment', {
    'GET /wps/member/security': {
      ...lost,
      question: '',
      mobile: '+84******678',
      paymentReset: 'sms',
    },
    'POST /wps/member/paymentPassword/code': {
      expiredMinutes: 5,
      expirationTime: Date.now() + 300_000,
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Forgotten?' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send code' }));
  expect(screen.getByText(/^The code goes to .*678/)).toBeVisible();
  await expect
    .poll(() => sentTo(requests, 'POST /wps/member/paymentPassword/code'))
    .toHaveLength(1);
  await type('verificationCode', '123456');
  await type('paymentPassword', '246813');
  await type('confirmPaymentPassword', '246813');
  await type('password', 'Secret123');
  await save();
  await sheetToClose();
  expect(await sentTo(requests, 'PUT /wps/member/paymentPassword')[0]?.json()).toEqual({
    password: 'Secret123',
    verificationCode: '123456',
    paymentPassword: '246813',
    confirmPaymentPassword: '246813',
  });
});

test('without an answer or a channel for a code, only customer service can help', async () => {
  await show('payment', { 'GET /wps/member/security': { ...unprotected, paymentPassword: true } });
  await userEvent.click(await screen.findByRole('button', { name: 'Forgotten?' }));
  const link = await screen.findByRole('link', { name: 'Customer service' });
  expect(link.getAttribute('href')).toBe('/m/service');
  expect(document.querySelector('form')).toBeNull();
});

test('binding a number needs the payment password, or what recovers it', async () => {
  const guarded = { ...unprotected, paymentPassword: true, ask: 'payment' };
  const first = await show('mobile', { 'GET /wps/member/security': guarded });
  await type('mobileNum', '0912345678');
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  await save();
  expect(sentTo(first.requests, 'PUT /wps/member/mobile')).toHaveLength(0);
  await type('paymentPassword', '246810');
  await save();
  await sheetToClose();
  expect(await sentTo(first.requests, 'PUT /wps/member/mobile')[0]?.json()).toMatchObject({
    password: 'Secret123',
    paymentPassword: '246810',
  });

  const { requests } = await show('email', {
    'GET /wps/member/security': { ...guarded, mobile: '+84******678', paymentReset: 'sms' },
    'POST /wps/member/paymentPassword/code': {
      expiredMinutes: 5,
      expirationTime: Date.now() + 300_000,
    },
  });
  await type('email', 'an@example.com');
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  await userEvent.click(screen.getByRole('button', { name: 'Forgotten?' }));
  await type('recoveryCode', '654321');
  await save();
  await sheetToClose();
  const sent = await sentTo(requests, 'PUT /wps/member/email')[0]?.json();
  expect(sent).toMatchObject({ recoveryCode: '654321' });
  expect(sent).not.toHaveProperty('paymentPassword');

  const answered = await show('email', {
    'GET /wps/member/security': { ...guarded, question: 'first_pet', paymentReset: 'answer' },
  });
  await type('email', 'an@example.com');
  await type('verificationCode', '123456');
  await type('password', 'Secret123');
  await userEvent.click(screen.getByRole('button', { name: 'Forgotten?' }));
  await type('answer', 'Mun');
  await save();
  await sheetToClose();
  expect(await sentTo(answered.requests, 'PUT /wps/member/email')[0]?.json()).toMatchObject({
    answer: 'Mun',
  });
});

test('a first question needs the payment password, another its old answer', async () => {
  const guarded = { ...unprotected, paymentPassword: true, ask: 'payment' };
  await show('question', { 'GET /wps/member/security': guarded });
  expect(await input('paymentPassword')).toBeVisible();
  await show('question', {
    'GET /wps/member/security': { ...guarded, question: 'first_pet', paymentReset: 'answer' },
    'GET /wps/member/securityQuestion': { questions: ['first_pet'], current: 'first_pet' },
  });
  const old = await input('oldAnswer');
  expect(old.form?.querySelector('input[name="paymentPassword"]')).toBeNull();
});
