import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith, sentTo } from '../lib/testing/answers.ts';
import { homeAnswers, switches } from '../lib/testing/fixtures.ts';
import { clearScreen, renderScreen } from '../lib/testing/screen.tsx';
import { clearSession, startSession } from './session.ts';
import { useUnread } from './unread.ts';

const unread = '/wps/relay/CBS_unreadCount';

function Count() {
  return <output>{useUnread().chat}</output>;
}

function show(type: number, isOn: boolean): Request[] {
  startSession({ token: 't', type, userName: 'a', merchantCode: 'demo', firstTimeLogin: false });
  const requests = answerWith({
    ...homeAnswers,
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: isOn } },
    [`GET ${unread}`]: { totalUnreadCount: 7 },
  });
  renderScreen(<Count />);
  return requests;
}

afterEach(async () => {
  await clearScreen();
  clearSession();
  vi.unstubAllGlobals();
});

test('RO-04 reads the unread count of a member, not of a guest, nor with the chat off', async () => {
  const asMember = show(0, true);
  expect(await screen.findByText('7')).toBeVisible();
  expect(sentTo(asMember, unread)).toHaveLength(1);
  await clearScreen();
  for (const [type, isOn] of [
    [4, true],
    [0, false],
  ] as const) {
    const requests = show(type, isOn);
    // oxlint-disable-next-line eslint/no-await-in-loop -- one screen at once
    await vi.waitFor(() => expect(sentTo(requests, '/wps/system/whitelabel')).toHaveLength(1));
    expect(screen.getByText('0')).toBeVisible();
    expect(sentTo(requests, unread)).toHaveLength(0);
    // oxlint-disable-next-line eslint/no-await-in-loop -- one screen at once
    await clearScreen();
  }
});
