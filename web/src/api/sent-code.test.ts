// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { sendLoginCode } from './login.ts';

afterEach(() => vi.unstubAllGlobals());

test('ST-03 own path: a code that was sent comes with the server’s time, where the answer tells it', async () => {
  const sent = { expiredMinutes: 5, expirationTime: 1_800_000_300_000 };
  answerWith({
    'POST /wps/verification/sms/noLogin': () =>
      Response.json(
        { success: true, value: sent },
        { headers: { Date: 'Fri, 15 Jan 2027 08:00:00 GMT' } },
      ),
  });
  expect(await sendLoginCode('912345678', '84')).toEqual({
    ...sent,
    answeredAt: Date.UTC(2027, 0, 15, 8),
  });
  answerWith({ 'POST /wps/verification/sms/noLogin': sent });
  expect(await sendLoginCode('912345678', '84')).toEqual(sent);
});
