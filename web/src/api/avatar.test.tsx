import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { useAvatar } from './avatar.ts';
import { clearSession, startSession } from './session.ts';

const revoked: string[] = [];
const created: Blob[] = [];

beforeEach(() => {
  URL.createObjectURL = (blob) => `blob:${created.push(blob as Blob)}`;
  URL.revokeObjectURL = (url) => void revoked.push(url);
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
});

afterEach(() => {
  clearSession();
  vi.unstubAllGlobals();
  created.length = 0;
  revoked.length = 0;
});

function AvatarUrl({ url }: { url: string }) {
  return <p>{useAvatar(url) || 'none'}</p>;
}

test('an uploaded picture is fetched with the token, and its blob URL is revoked', async () => {
  const requests = answerWith({
    'GET /wps/member/headIcon/file/abc.jpg': () =>
      new Response('picture', { headers: { 'Content-Type': 'image/jpeg' } }),
  });
  const { unmount } = renderScreen(
    <>
      <AvatarUrl url="/wps/member/headIcon/file/abc.jpg" />
      <AvatarUrl url="/wps/member/headIcon/file/abc.jpg" />
    </>,
  );
  expect(screen.getAllByText('none')).toHaveLength(2);
  // Both share one blob URL.
  expect(await screen.findAllByText('blob:1')).toHaveLength(2);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers.get('Authorization')).toBe('token-1');
  expect(created).toHaveLength(1);
  expect(revoked).toEqual([]);
  unmount();
  expect(revoked).toEqual(['blob:1']);
});

test('a preset is used directly, and a fox is the default', () => {
  const requests = answerWith({});
  renderScreen(
    <>
      <AvatarUrl url="/m/art/avatars/cat.webp" />
      <AvatarUrl url="" />
    </>,
  );
  expect(screen.getByText('/m/art/avatars/cat.webp')).toBeVisible();
  expect(screen.getByText(/avatars\/fox\.webp$/)).toBeVisible();
  expect(requests).toEqual([]);
});

test('SE-03 a picture of another member is refused and not shown', async () => {
  const requests = answerWith({
    'GET /wps/member/headIcon/file/other.jpg': () =>
      Response.json({ success: false, errorCode: 'avatar.unknown' }, { status: 404 }),
  });
  renderScreen(<AvatarUrl url="/wps/member/headIcon/file/other.jpg" />);
  await expect.poll(() => requests.length).toBe(1);
  expect(screen.getByText('none')).toBeVisible();
  expect(created).toEqual([]);
});
