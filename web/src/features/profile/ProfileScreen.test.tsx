import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import golden from '../../../../internal/site/merchant/testdata/register.golden.json';
import { clearSession, startSession } from '../../api/session.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { homeAnswers } from '../../lib/testing/fixtures.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { ToastViewport } from '../../ui/Toast.tsx';
import { toast } from '../../ui/toastStore.ts';
import ProfileScreen from './ProfileScreen.tsx';

const profile = {
  nickname: 'Minh Anh',
  account: 'demo88',
  avatar: '',
  language: 'vi',
  payeeName: '',
  mobile: '+84******678',
  email: '',
  idNumber: '',
  qqNum: '',
  facebook: '',
  wechat: '',
  line: '',
  whatsapp: '',
  zalo: '',
};

const presets = ['fox', 'cat'].map((id) => ({ id, url: `/m/art/avatars/${id}.webp` }));

function show(answers: Record<string, unknown> = {}) {
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/system/setting/register': golden.body.value,
    'GET /wps/member/profile': profile,
    'PUT /wps/member/profile': {},
    'GET /wps/member/headIcon': { current: presets[0]?.url, presets },
    'PUT /wps/member/headIcon': { current: presets[1]?.url },
    'POST /wps/member/headIcon/upload': { current: '/wps/member/headIcon/file/a.jpg' },
    ...answers,
  });
  renderScreen(
    <>
      <ProfileScreen />
      <ToastViewport />
    </>,
  );
  return requests;
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

beforeEach(() => {
  clearSession();
  toast.hide();
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

afterEach(() => vi.restoreAllMocks());

test('hides disabled contacts and applies the merchant’s own pattern', async () => {
  const setting = golden.body.value;
  const fields = setting.fields.map((one) => {
    if (one.name === 'wechat') return { ...one, profile: false };
    const rules = [...one.rules, { pattern: '^84', message: 'member.contact_format' }];
    return one.name === 'zalo' ? { ...one, rules } : one;
  });
  const requests = show({ 'GET /wps/system/setting/register': { ...setting, fields } });
  await userEvent.type(await field('Zalo'), '912345678');
  expect(screen.queryByLabelText('WeChat')).toBeNull();
  await userEvent.click(save());
  const zalo = await field('Zalo');
  await expect.poll(() => zalo.getAttribute('aria-invalid')).toBe('true');
  expect(sentTo(requests, 'PUT /wps/member/profile')).toHaveLength(0);
});

test('OS-08 sends only the changed fields', async () => {
  const requests = show();
  const nickname = await field('Nickname');
  expect(nickname.value).toBe('Minh Anh');
  expect(save().disabled).toBe(true);
  expect(screen.getByText('Must have at most 20 characters')).toBeVisible();
  await userEvent.clear(nickname);
  await userEvent.type(nickname, 'Mai');
  await userEvent.type(await field('Zalo'), '0912345678');
  await userEvent.click(save());
  expect(await screen.findByText('Changes saved')).toBeVisible();
  const [sent, ...more] = sentTo(requests, 'PUT /wps/member/profile');
  expect(await sent?.json()).toEqual({ nickname: 'Mai', zalo: '0912345678' });
  expect(more).toEqual([]);
  // The member's info is reloaded, because it shows the name.
  expect(sentTo(requests, 'GET /wps/member/info').length).toBeGreaterThan(1);
});

test('a nickname cannot be removed, and an invalid form is not sent', async () => {
  const requests = show();
  await userEvent.clear(await field('Nickname'));
  await userEvent.type(await field('Facebook'), 'no');
  await userEvent.click(save());
  expect(await screen.findByText(/^This contact is not valid: \S/)).toBeVisible();
  expect(document.activeElement).toBe(await field('Nickname'));
  expect(sentTo(requests, 'PUT /wps/member/profile')).toEqual([]);
});

test('the real name needs a confirmation and cannot be changed afterwards', async () => {
  let stored = profile;
  const requests = show({
    'GET /wps/member/profile': () => stored,
    'PUT /wps/member/profile': () => {
      stored = { ...profile, payeeName: 'TRAN MINH ANH' };
      return {};
    },
  });
  await userEvent.type(await field('Real name'), 'TRAN MINH ANH');
  await userEvent.click(save());
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText(/^TRAN MINH ANH: withdrawals/)).toBeVisible();
  expect(sentTo(requests, 'PUT /wps/member/profile')).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Back to the form' }));
  expect((await field('Real name')).value).toBe('TRAN MINH ANH');
  await userEvent.click(save());
  await userEvent.click(await screen.findByRole('button', { name: 'Yes, save it' }));
  expect(await screen.findByText('TRAN MINH ANH')).toBeVisible();
  expect(screen.queryByLabelText('Real name')).toBeNull();
  expect(await sentTo(requests, 'PUT /wps/member/profile')[0]?.json()).toEqual({
    payeeName: 'TRAN MINH ANH',
  });
});

test('a server error appears at its field, and the typed value stays', async () => {
  show({
    'PUT /wps/member/profile': new Failing(409, 'member.nickname_format', { field: 'nickname' }),
  });
  const nickname = await field('Nickname');
  await userEvent.type(nickname, ' T');
  await userEvent.click(save());
  await expect.poll(() => nickname.getAttribute('aria-invalid')).toBe('true');
  expect(nickname.value).toBe('Minh Anh T');
  expect(document.activeElement).toBe(nickname);
});

test('mobile number and e-mail are masked and link to the security screen', async () => {
  show();
  expect((await screen.findByText('+84******678')).closest('a')?.getAttribute('href')).toBe(
    '/m/member/security?part=mobile',
  );
  expect(screen.getByText('Add').closest('a')?.getAttribute('href')).toBe(
    '/m/member/security?part=email',
  );
});

test('an e-mail address that is not verified says so', async () => {
  const answer = { unprovedMobile: '', unprovedEmail: 'minh@example.test' };
  show({ 'GET /wps/member/security': answer });
  const words = await screen.findByText('Not verified');
  expect(words.closest('a')?.getAttribute('href')).toBe('/m/member/security?part=email');
});

test('without a code channel the number has no link and nothing can be added', async () => {
  const { value } = golden.body;
  show({
    'GET /wps/system/setting/register': { ...value, reset: { ...value.reset, channels: [] } },
  });
  expect((await screen.findByText('+84******678')).closest('a')).toBeNull();
  expect(screen.queryByText('Add')).toBeNull();
  expect(screen.queryByText('E-mail')).toBeNull();
});

test('OS-08 a preset can be chosen', async () => {
  const requests = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Change picture' }));
  const current = await screen.findByRole('button', { name: 'Picture 1' });
  expect(current.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Picture 2' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const [sent] = sentTo(requests, 'PUT /wps/member/headIcon');
  expect(await sent?.json()).toEqual({ preset: 'cat' });
  expect(sent?.headers.get('ModuleId')).toBe('PROFPIC3');
});

const chooseFile = async (file: File) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Change picture' }));
  await screen.findByRole('button', { name: 'Picture 1' });
  const input = screen.getByLabelText<HTMLInputElement>('Upload a picture', {
    selector: 'input',
  });
  await userEvent.upload(input, file, { applyAccept: false });
};

const chosenPicture = async (): Promise<HTMLImageElement> => {
  const picture = () => document.querySelector<HTMLImageElement>('[role=application] img');
  await expect.poll(picture).not.toBeNull();
  return picture()!;
};

test('SE-07 browser part: a wrong type or a too large file is rejected before the upload', async () => {
  const requests = show();
  await chooseFile(new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }));
  expect(await screen.findByText(/PNG/)).toBeVisible();
  const large = new File(['x'], 'a.png', { type: 'image/png' });
  Object.defineProperty(large, 'size', { value: 21 * 1024 * 1024 });
  const input = screen.getByLabelText<HTMLInputElement>('Upload a picture', {
    selector: 'input',
  });
  await userEvent.upload(input, large);
  expect(await screen.findByText('The picture is too large')).toBeVisible();
  expect(sentTo(requests, 'POST /wps/member/headIcon/upload')).toEqual([]);
});

test('uploads the cropped square of a picture', async () => {
  const requests = show();
  const drawn: unknown[][] = [];
  const context = { drawImage: (...how: unknown[]) => drawn.push(how.slice(1)) };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
    context as unknown as GPUCanvasContext,
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob(['square'], { type: type ?? '' })),
  );
  await chooseFile(new File(['x'], 'a.jpg', { type: 'image/jpeg' }));
  const image = await chosenPicture();
  Object.defineProperties(image, { naturalWidth: { value: 400 }, naturalHeight: { value: 200 } });
  image.dispatchEvent(new Event('load'));
  const use = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use this picture' });
  await expect.poll(() => use.disabled).toBe(false);
  await userEvent.click(use);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const [sent] = sentTo(requests, 'POST /wps/member/headIcon/upload');
  expect(sent?.headers.get('Content-Type')).toBe('image/jpeg');
  expect(drawn).toEqual([[100, 0, 200, 200, 0, 0, 512, 512]]);
});

test('an unreadable file shows an error and the presets', async () => {
  show();
  await chooseFile(new File(['x'], 'a.png', { type: 'image/png' }));
  const image = await chosenPicture();
  image.dispatchEvent(new Event('error'));
  expect(await screen.findByText(/PNG/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Picture 1' })).toBeVisible();
});

test('hides the picture button when the merchant disables pictures', async () => {
  show({ 'GET /wps/system/whitelabel': { flags: {}, modules: {}, promotions: {} } });
  await field('Nickname');
  expect(screen.queryByRole('button', { name: 'Change picture' })).toBeNull();
});

test('shows loading, then an error with a retry', async () => {
  let fails = true;
  show({
    'GET /wps/member/profile': () => (fails ? new Failing(503, 'system.unavailable') : profile),
  });
  expect(document.querySelector('[aria-busy=true]')).not.toBeNull();
  const retry = await screen.findByRole('button', { name: /Load failed/ });
  fails = false;
  await userEvent.click(retry);
  expect(await field('Nickname')).toBeVisible();
});
