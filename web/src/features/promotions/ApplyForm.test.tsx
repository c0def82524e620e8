import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { upload } from '../../api/upload.ts';
import { ApiError } from '../../i18n/api-error.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { ApplyForm } from './ApplyForm.tsx';

vi.mock('../../api/upload.ts', () => ({ upload: vi.fn() }));

const sent = vi.mocked(upload);

beforeEach(() => {
  sent.mockReset();
  sessionStorage.clear();
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => {};
  history.replaceState(null, '', '/m/home'); // another address drops the draft
  history.replaceState(null, '', '/m/activity?promotion=4');
  clearSession();
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

function show(): void {
  renderScreen(
    <>
      <ApplyForm id="4" />
      <ToastViewport />
    </>,
  );
}

const picture = (name: string, type = 'image/png', size = 1) =>
  new File([new Uint8Array(size)], name, { type, lastModified: 1 });
const remark = () => screen.getByRole('textbox', { name: 'Remark (optional)' });
const group = () => within(screen.getByRole('group', { name: 'Pictures (optional)' }));
const form = () => within(document.querySelector('form')!);
const names = () =>
  group()
    .queryAllByRole('img')
    .map((each) => each.getAttribute('alt'));
const choose = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Pictures (optional)', { selector: 'input' }), {
    target: { files },
  });
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send the application' }));

test('an application is sent once with its remark and up to three pictures', async () => {
  sent.mockResolvedValue({ id: '9' });
  show();
  await userEvent.type(remark(), 'bill 12');
  choose(picture('a.png'), picture('b.png'));
  choose(picture('c.jpg', 'image/jpeg'));
  expect(names()).toEqual(['a.png', 'b.png', 'c.jpg']);
  expect(group().queryByRole('button', { name: 'Add a picture' })).toBeNull();
  await userEvent.dblClick(screen.getByRole('button', { name: 'Send the application' }));
  expect(await screen.findByText('Your application was sent')).toBeVisible();
  expect(sent).toHaveBeenCalledOnce();
  const [path, form, options] = sent.mock.calls[0]!;
  expect(path).toBe('/wps/promotion/4/apply');
  expect(form.get('remark')).toBe('bill 12');
  expect(form.getAll('image').map((file) => (file as File).name)).toEqual([
    'a.png',
    'b.png',
    'c.jpg',
  ]);
  expect(options?.idempotencyKey).toBeTruthy();
});

test('a remark and pictures are optional', async () => {
  sent.mockResolvedValue({ id: '9' });
  show();
  await send();
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect([...(sent.mock.calls[0]?.[1].entries() ?? [])]).toEqual([['remark', '']]);
});

test.each([
  {
    title: 'of another type',
    files: [picture('notes.pdf', 'application/pdf')],
    text: 'notes.pdf is not a picture that can be used here.',
  },
  {
    title: 'of more than 5 MB',
    files: [picture('large.png', 'image/png', 5 * 1024 * 1024 + 1)],
    text: 'large.png is larger than 5 MB.',
  },
  {
    title: 'that would be the fourth',
    files: ['b.png', 'c.png', 'd.png'].map((name) => picture(name)),
    text: 'You can add at most 3 pictures.',
  },
])('a picture $title is refused, and the others stay', ({ files, text }) => {
  show();
  choose(picture('a.png'));
  choose(...files);
  expect(group().getByRole('alert')).toHaveTextContent(text);
  expect(names()).toEqual(['a.png']);
});

test('a picture can be removed before the application is sent', async () => {
  show();
  choose(picture('a.png'), picture('b.png'));
  await userEvent.click(screen.getByRole('button', { name: 'Remove a.png' }));
  expect(names()).toEqual(['b.png']);
});

test('a remark of more than 140 characters is not sent', async () => {
  show();
  fireEvent.change(remark(), { target: { value: 'ă'.repeat(141) } });
  expect(screen.getByText('At most 140 characters')).toBeVisible();
  await send();
  expect(sent).not.toHaveBeenCalled();
  fireEvent.change(remark(), { target: { value: 'ă'.repeat(140) } });
  expect(screen.queryByText('At most 140 characters')).toBeNull();
});

test('after an error the remark and the pictures stay, and the retry has the same key', async () => {
  sent.mockRejectedValueOnce(new ApiError('system.unavailable', 503));
  sent.mockResolvedValueOnce({ id: '9' });
  show();
  await userEvent.type(remark(), 'bill 12');
  choose(picture('a.png'));
  await send();
  expect(await form().findByRole('alert')).toBeVisible();
  expect(remark()).toHaveValue('bill 12');
  expect(names()).toEqual(['a.png']);
  await send();
  expect(await screen.findByText('Your application was sent')).toBeVisible();
  const keys = sent.mock.calls.map(([, , options]) => options?.idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
});

test('a picture that the server refuses is named at the pictures', async () => {
  sent.mockRejectedValue(new ApiError('picture.malformed', 422, { field: 'image' }));
  show();
  choose(picture('a.png'));
  await send();
  expect(await group().findByRole('alert')).toBeVisible();
  expect(names()).toEqual(['a.png']);
  expect(remark()).toBeEnabled();
});

test('the draft is there again after the member has read another page', async () => {
  show();
  await userEvent.type(remark(), 'bill 12');
  choose(picture('a.png'));
  cleanup();
  show();
  expect(remark()).toHaveValue('bill 12');
  expect(names()).toEqual(['a.png']);
});
