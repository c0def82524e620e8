// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { sendLoginCode } from './login.ts';

afterEach(() => vi.unstubAllGlobals());

test('ST-03 own path: a sent code has the server’s time if the response has a Date header', async () => {
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
