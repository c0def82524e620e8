// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';

import { navigate } from '../lib/router.tsx';
import { MemberDraft } from './member-draft.ts';
import { clearSession, endSession, startSession } from './session.ts';

const logIn = (userName: string) =>
  startSession({
    token: `token of ${userName}`,
    type: 0,
    userName,
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

const newDraft = () =>
  new MemberDraft<string>(/^\/m\/voucherCenter$/, { key: 'memberDraft', part: (typed) => typed });

beforeEach(() => {
  logIn('minh');
  navigate('/m/voucherCenter');
});

afterEach(() => {
  clearSession();
  navigate('/m/home');
});

test('a draft survives the login of its member after the session ended', async () => {
  const draft = newDraft();
  draft.keep('500000');
  await endSession('token of minh');
  navigate('/m/login?return=%2Fm%2FvoucherCenter');
  expect(draft.value).toBeNull();
  logIn('minh');
  navigate('/m/voucherCenter');
  expect(draft.value).toBe('500000');
});

test('another member does not see the draft', async () => {
  const draft = newDraft();
  draft.keep('500000');
  await endSession('token of minh');
  navigate('/m/login');
  logIn('lan');
  navigate('/m/voucherCenter');
  expect(draft.value).toBeNull();
});

test('a draft survives a reload for its member only', () => {
  newDraft().keep('500000');
  expect(newDraft().value).toBe('500000');
  logIn('lan');
  expect(newDraft().value).toBeNull();
});

test('another page drops the draft', () => {
  const draft = newDraft();
  draft.keep('500000');
  navigate('/m/home');
  navigate('/m/voucherCenter');
  expect(draft.value).toBeNull();
});
