import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { useAvatar } from './avatar.ts';
import { clearSession, startSession } from './session.ts';

const revoked: string[] = [];
const made: Blob[] = [];

beforeEach(() => {
  URL.createObjectURL = (blob) => `blob:${made.push(blob as Blob)}`;
  URL.revokeObjectURL = (address) => void revoked.push(address);
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
  made.length = 0;
  revoked.length = 0;
});

function Shown({ address }: { address: string }) {
  return <p>{useAvatar(address) || 'none'}</p>;
}

test('an uploaded picture is fetched with the token, and its address is given back', async () => {
  const asked = answerWith({
    'GET /wps/member/headIcon/file/abc.jpg': () =>
      new Response('picture', { headers: { 'Content-Type': 'image/jpeg' } }),
  });
  const { unmount } = renderScreen(
    <>
      <Shown address="/wps/member/headIcon/file/abc.jpg" />
      <Shown address="/wps/member/headIcon/file/abc.jpg" />
    </>,
  );
  expect(screen.getAllByText('none')).toHaveLength(2);
  // Both show the one address of the one picture.
  expect(await screen.findAllByText('blob:1')).toHaveLength(2);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.headers.get('Authorization')).toBe('token-1');
  expect(made).toHaveLength(1);
  expect(revoked).toEqual([]);
  unmount();
  expect(revoked).toEqual(['blob:1']);
});

test('a preset is shown from where it is, and a fox where nothing was chosen', () => {
  const asked = answerWith({});
  renderScreen(
    <>
      <Shown address="/m/art/avatars/cat.webp" />
      <Shown address="" />
    </>,
  );
  expect(screen.getByText('/m/art/avatars/cat.webp')).toBeDefined();
  expect(screen.getByText(/avatars\/fox\.webp$/)).toBeDefined();
  expect(asked).toEqual([]);
});

test('SE-03 a picture that is refused, as another’s is, shows nothing', async () => {
  const asked = answerWith({
    'GET /wps/member/headIcon/file/other.jpg': () =>
      Response.json({ success: false, errorCode: 'avatar.unknown' }, { status: 404 }),
  });
  renderScreen(<Shown address="/wps/member/headIcon/file/other.jpg" />);
  await expect.poll(() => asked.length).toBe(1);
  expect(screen.getByText('none')).toBeDefined();
  expect(made).toEqual([]);
});
