// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { localStore } from '../lib/storage.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { register } from './registration.ts';
import { clearSession } from './session.ts';

afterEach(() => {
  localStore.remove('WEBCLIP');
  clearSession();
  vi.unstubAllGlobals();
});

async function sent(): Promise<unknown> {
  const requests = answerWith({
    'PUT /wps/member/register': { token: 't', userName: 'u', type: 0, firstTimeLogin: false },
  });
  const values = { username: 'minhanh92' };
  const consent = { agreement: true, ageConfirmed: true };
  await register({ method: 'username', values, dialingCode: '84', ...consent }, 'fairground');
  return requests[0]?.json();
}

test('RG-08 a registration sends how the app runs and the host', async () => {
  expect(await sent()).toMatchObject({ registerMethod: 'H5', registerUrl: location.hostname });
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  expect(await sent()).toMatchObject({ registerMethod: 'PWA' });
  localStore.set('WEBCLIP', '1');
  expect(await sent()).toMatchObject({ registerMethod: 'WEBCLIP' });
  const shell = 'Mozilla/5.0 (Linux; Android 14; wv) Chrome/138.0 Mobile FairgroundApp/1.2';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(shell);
  expect(await sent()).toMatchObject({ registerMethod: 'APP' });
});

test.each([
  'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/138.0 Mobile [FB_IAB/FB4A;FBAV/500.0]',
  'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/138.0 Mobile Zalo android/2410',
])('RG-08 the web view of a chat app counts as a browser: %s', async (agent) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent);
  expect(await sent()).toMatchObject({ registerMethod: 'H5' });
});

test('omits the dialling code without a number, and empty fields', async () => {
  const body = await sent();
  expect(body).not.toHaveProperty('countryDialingCode');
  expect(body).not.toHaveProperty('challenge');
});
