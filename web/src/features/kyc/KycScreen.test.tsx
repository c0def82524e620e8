import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { upload } from '../../api/upload.ts';
import { ApiError } from '../../i18n/api-error.ts';
import { answerWith, Failing } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import KycScreen from './KycScreen.tsx';

vi.mock('../../api/upload.ts', () => ({ upload: vi.fn() }));
const sent = vi.mocked(upload);

function show(kyc: unknown) {
  history.replaceState(null, '', '/m/member/kyc');
  answerWith({
    ...homeAnswers,
    'GET /wps/system/setting/register': golden.body.value,
    'GET /wps/member/kyc': kyc,
  });
  renderScreen(
    <>
      <KycScreen />
      <ToastViewport />
    </>,
  );
}

const card = new File(['front'], 'front.png', { type: 'image/png' });
const send = () => screen.getByRole('button', { name: 'Send for checking' });

async function fill(name = 'NGUYEN VAN AN') {
  await enter(await screen.findByLabelText('Full name'), name);
  await enter(screen.getByLabelText('Date of birth'), '1992-03-04');
  await enter(screen.getByLabelText('Document number'), '079092001234');
  await userEvent.upload(
    screen.getByLabelText('Pictures of the document', { selector: 'input' }),
    card,
  );
}

beforeEach(() => {
  clearSession();
  toast.hide();
  sessionStorage.clear();
  sent.mockReset();
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

afterEach(() => {
  // Another address drops the draft.
  act(() => history.replaceState(null, '', '/m/home'));
  vi.restoreAllMocks();
});

test('OS-09: details and pictures are sent once, and the state is shown', async () => {
  let answer: (value: unknown) => void = () => {};
  sent.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  show({ state: 'NONE', images: 0 });
  await fill();
  await userEvent.dblClick(send());
  await expect.poll(() => sent.mock.calls.length).toBe(1);
  act(() => answer({ state: 'WAITING', images: 1, name: 'NGUYEN VAN AN', sentAt: 1 }));
  expect(await screen.findByText('We are checking your documents')).toBeVisible();
  expect(sent).toHaveBeenCalledOnce();
  const [path, form, options] = sent.mock.calls[0] ?? [];
  expect(path).toBe('/wps/member/kyc');
  expect(form?.get('name')).toBe('NGUYEN VAN AN');
  expect(form?.get('birthDate')).toBe('1992-03-04');
  expect(form?.get('documentNumber')).toBe('079092001234');
  expect(form?.getAll('image')).toHaveLength(1);
  expect(options?.idempotencyKey).toBeTruthy();
});

test('VA-08 part: a name with accents and a missing picture are not sent', async () => {
  show({ state: 'NONE', images: 0 });
  await enter(await screen.findByLabelText('Full name'), 'Nguyễn Văn An');
  await userEvent.click(send());
  expect(screen.getByLabelText('Full name')).toHaveProperty('ariaInvalid', 'true');
  expect(screen.getByText('Add at least one picture')).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
});

test('a name with accents shows what is wrong and how to write it', async () => {
  show({ state: 'NONE', images: 0 });
  await enter(await screen.findByLabelText('Full name'), 'Nguyễn Văn An');
  await userEvent.click(send());
  expect(screen.getByText(/without accents/)).toBeVisible();
});

test('OS-09 part: someone below the age limit is told before anything is sent', async () => {
  show({ state: 'NONE', images: 0 });
  await fill();
  const tomorrow = new Date(Date.now() + 86_400_000);
  tomorrow.setUTCFullYear(tomorrow.getUTCFullYear() - golden.body.value.ageLimit);
  const birth = screen.getByLabelText<HTMLInputElement>('Date of birth');
  await enter(birth, tomorrow.toISOString().slice(0, 10));
  await userEvent.click(send());
  expect(birth).toHaveProperty('ariaInvalid', 'true');
  expect(birth).toHaveFocus();
  expect(sent).not.toHaveBeenCalled();
});

test('an error stands at its field, and what was typed stays', async () => {
  sent.mockRejectedValue(new ApiError('kyc.age', 422, { field: 'birthDate', args: { age: '18' } }));
  show({ state: 'NONE', images: 0 });
  await fill();
  await userEvent.click(send());
  const birth = await screen.findByLabelText<HTMLInputElement>('Date of birth');
  await expect.poll(() => birth.ariaInvalid).toBe('true');
  expect(birth.value).toBe('1992-03-04');
  expect(screen.getByLabelText<HTMLInputElement>('Document number').value).toBe('079092001234');
  expect(screen.getByAltText('front.png')).toBeVisible();
});

test('a refusal shows its reason, and other pictures can be sent', async () => {
  show({
    state: 'REFUSED',
    images: 1,
    reason: 'Too dark',
    name: 'NGUYEN AN',
    birthDate: '1992-03-04',
  });
  expect(await screen.findByText('Too dark')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Full name')).value).toBe('NGUYEN AN');
});

test('a verified identity has no form', async () => {
  show({ state: 'VERIFIED', images: 0, name: 'NGUYEN AN', birthDate: '1992-03-04', decidedAt: 1 });
  expect(await screen.findByText('Your identity is verified')).toBeVisible();
  expect(screen.queryByLabelText('Full name')).toBeNull();
  expect(screen.getByText('4 Mar 1992')).toBeVisible();
});

test('an error offers a retry', async () => {
  show(new Failing(500, 'system.error'));
  expect(await screen.findByRole('button', { name: /tap to retry/ })).toBeVisible();
});
