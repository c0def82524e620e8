import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { upload } from '../../api/upload.ts';
import { ApiError } from '../../i18n/api-error.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { enter } from '../../lib/testing/enter.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import FeedbackScreen from './FeedbackScreen.tsx';

vi.mock('../../api/upload.ts', () => ({ upload: vi.fn() }));
const sent = vi.mocked(upload);

function show(list: unknown[] = []) {
  history.replaceState(null, '', '/m/member/feedback');
  answerWith({
    ...homeAnswers,
    'GET /wps/system/setting/register': golden.body.value,
    'GET /wps/member/feedback': { list, next: '' },
  });
  renderScreen(<FeedbackScreen />);
}

beforeEach(() => {
  clearSession();
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
});

const text = () => screen.findByLabelText<HTMLTextAreaElement>('Your message');
const send = () => screen.getByRole('button', { name: 'Send' });

test('VA-08 part: a category and 10 to 140 characters are needed', async () => {
  show();
  await enter(await text(), 'too short');
  await userEvent.click(send());
  expect(await screen.findByText('Write 10 to 140 characters')).toBeVisible();
  expect(screen.getByLabelText('What is it about?')).toHaveProperty('ariaInvalid', 'true');
  await enter(await text(), 'ă'.repeat(141));
  await userEvent.click(send());
  expect(screen.getByText('Write 10 to 140 characters')).toBeVisible();
  expect(sent).not.toHaveBeenCalled();
});

test('OS-17 part: feedback is sent once, and the form is empty after it', async () => {
  sent.mockResolvedValue({ id: '1' });
  show();
  await enter(await text(), 'The wheel stops sometimes');
  await userEvent.selectOptions(screen.getByLabelText('What is it about?'), 'game');
  await userEvent.dblClick(send());
  await expect.poll(async () => (await text()).value).toBe('');
  expect(sent).toHaveBeenCalledOnce();
  const [path, form] = sent.mock.calls[0] ?? [];
  expect(path).toBe('/wps/member/feedback');
  expect(form?.get('category')).toBe('game');
  expect(form?.get('content')).toBe('The wheel stops sometimes');
});

test('what was typed stays after an error', async () => {
  sent.mockRejectedValue(new ApiError('feedback.format', 400, { field: 'image' }));
  show();
  await enter(await text(), 'The wheel stops sometimes');
  await userEvent.selectOptions(screen.getByLabelText('What is it about?'), 'game');
  await userEvent.click(send());
  expect(await screen.findByText('Only PNG and JPG pictures can be sent')).toBeVisible();
  expect((await text()).value).toBe('The wheel stops sometimes');
});

test('OS-17 part: the history shows the answer', async () => {
  const entry = { category: 'game', images: 1, createdAt: 1, status: 'answered' };
  show([
    { ...entry, id: '2', content: 'It stops', answer: 'It is repaired.', answeredAt: 2 },
    { ...entry, id: '1', content: 'More games', status: 'open' },
  ]);
  expect(await screen.findByText('It is repaired.')).toBeVisible();
  expect(screen.getByText('Waiting for an answer')).toBeVisible();
});
