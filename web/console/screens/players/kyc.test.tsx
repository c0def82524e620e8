import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';

import { answerWith, Failing, sentTo } from '../../../src/lib/testing/answers.ts';
import { renderScreen } from '../../testing/render.tsx';
import { KycListScreen, KycScreen, type Kyc } from './KycScreen.tsx';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
});
afterEach(() => vi.unstubAllGlobals());

const kyc: Kyc = {
  id: '7',
  memberId: '21',
  member: 'minhanh92',
  status: 'WAITING',
  shared: 1,
  createdAt: 1,
  decidedAt: null,
  version: 4,
  name: 'Nguyen <b>Anh</b>',
  birthDate: '1992-03-04',
  documentNumber: '079092001234',
  images: 2,
  profile: {
    nickname: 'Anh',
    payeeName: 'Tran Anh',
    idNumber: '',
    mobile: '',
    email: '',
    createdAt: 1,
    status: 'ACTIVE',
  },
  signals: [
    {
      kind: 'document_shared',
      accounts: [{ memberId: '22', member: 'quocbao88', status: 'VERIFIED' }],
    },
    { kind: 'name_differs', accounts: [] },
  ],
  earlier: [{ id: '6', status: 'REFUSED', reason: 'Too dark', decidedBy: 'lan', createdAt: 1 }],
};

function openCheck(responses: Record<string, unknown> = {}) {
  const requests = answerWith({ 'GET /ops/v1/kyc/7': kyc, ...responses });
  renderScreen(<Route path="/kyc/:id" component={KycScreen} />, {
    permissions: ['kyc.review'],
    address: '/kyc/7',
  });
  return requests;
}

test('a check shows the submitted data, the profile, signals and earlier checks', async () => {
  openCheck();
  expect(await screen.findByText('Nguyen <b>Anh</b>')).toBeVisible();
  expect(screen.getByText('Tran Anh')).toBeVisible();
  expect(screen.getByRole('link', { name: 'quocbao88' })).toBeVisible();
  expect(screen.getByText('The name differs from the profile.')).toBeVisible();
  expect(screen.getByText('Too dark')).toBeVisible();
});

test('a picture is loaded only by a click, after a code if the server requires one', async () => {
  let isConfirmed = false;
  let body: unknown;
  const requests = openCheck({
    'POST /ops/v1/kyc/7/view': async (request: Request) => {
      if (!isConfirmed) return new Failing(403, 'ops.confirm');
      body = await request.json();
      return new Response(new Blob(['x'], { type: 'image/jpeg' }));
    },
    'POST /ops/v1/session/confirm': () => {
      isConfirmed = true;
      return { confirmedUntil: 1 };
    },
  });
  const show = await screen.findByRole('button', { name: 'Show picture 2' });
  expect(sentTo(requests, '/ops/v1/kyc/7/view')).toHaveLength(0);
  await userEvent.click(show);
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox'), '123456');
  if (!isConfirmed) await userEvent.keyboard('{Enter}');
  expect(await screen.findByAltText('Picture 2 of the document')).toBeVisible();
  expect(body).toEqual({ image: 2 });
});

test('a refusal needs a reason and is sent with the version', async () => {
  let body: unknown;
  openCheck({
    'POST /ops/v1/kyc/7/refuse': async (request: Request) => {
      body = await request.json();
      return { ...kyc, status: 'REFUSED' };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Refuse' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Refuse' }));
  expect(within(dialog).getByText('Enter a reason.')).toBeVisible();
  await userEvent.type(within(dialog).getByRole('textbox'), 'Not readable');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Refuse' }));
  expect(await screen.findByText('Done: Refuse')).toBeVisible();
  expect(body).toEqual({ version: 4, reason: 'Not readable' });
});

test('the list filters by the state in the URL', async () => {
  const requests = answerWith({ 'GET /ops/v1/kyc': { list: [kyc], next: '' } });
  renderScreen(<KycListScreen />, {
    permissions: ['kyc.review'],
    address: '/kyc?state=WAITING',
  });
  expect(await screen.findByText('minhanh92')).toBeVisible();
  expect(new URL(requests[0]?.url ?? '').searchParams.get('state')).toBe('WAITING');
});
