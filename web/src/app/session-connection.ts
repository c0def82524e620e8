// The event stream and the keep-alive of a session. It is a separate chunk, because visitors do not need it.
import type { QueryClient } from '@tanstack/react-query';

import { receiveChatEvent } from '../api/chat.ts';
import { requestHeaders } from '../api/client.ts';
import { unreadQuery } from '../api/content.ts';
import { depositsKey } from '../api/deposits.ts';
import { feedbackKey } from '../api/feedback.ts';
import { inboxKey } from '../api/inbox.ts';
import { limitsQuery } from '../api/limits.ts';
import { lotteryResultKeys } from '../api/lottery.ts';
import { memberKey, touch, viewerKey } from '../api/member.ts';
import { promotionsKey } from '../api/promotions.ts';
import { rewardsKey } from '../api/rewards.ts';
import { currentSession, endSession } from '../api/session.ts';
import { openStream } from '../api/stream.ts';
import { statusQuery } from '../api/system.ts';
import { throttle, throttleMs } from '../api/unread.ts';
import { applyBalance, walletQuery } from '../api/wallet.ts';
import { withdrawalsKey, withdrawTermsQuery } from '../api/withdrawals.ts';
import { setAutoLogin } from '../lib/auto-login.ts';
import type { ServerEvent } from '../lib/sse.ts';
import { withMessages } from './with-messages.ts';

/** A logout in another tab ends the stream before its storage event arrives. The delay lets the event arrive first. */
const endDelayMs = 600;

export const keepAliveMs = 180_000;

/** What an operator's change of the content or the games makes out of date. */
const contentKeys = [
  viewerKey,
  unreadQuery.queryKey,
  ['system', 'page'],
  ['system', 'pages'],
  ['system', 'help'],
];
const gameKeys = [['games']];

function reload(cache: QueryClient, keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) void cache.invalidateQueries({ queryKey });
}

/** Pages wait up to this long after a message to all, so that they do not all ask at once. */
const spreadMs = 10_000;

/** Opens the event stream of a session and keeps the session alive. Returns a function that stops both. */
export function connectSession(cache: QueryClient, token: string): () => void {
  const end = () => setTimeout(endSession, endDelayMs, token);
  const reloadInbox = throttle(() => reload(cache, [inboxKey, feedbackKey]), throttleMs);
  function receive({ event, data }: ServerEvent) {
    if (event === 'balance') {
      applyBalance(cache, data);
      reload(cache, [withdrawTermsQuery.queryKey]);
    }
    // For example, the member took a break in another tab.
    else if (event === 'limits.changed' || event === 'kyc')
      void cache.invalidateQueries({ queryKey: memberKey });
    // The credit of a deposit, or its end, also changes what the limits leave.
    else if (event === 'deposit.changed') reload(cache, [depositsKey, limitsQuery.queryKey]);
    else if (event === 'withdraw.changed') reload(cache, [withdrawalsKey]);
    // A claimed or ended bonus also changes the bonus account.
    else if (event === 'reward.changed')
      reload(cache, [rewardsKey, promotionsKey, walletQuery.queryKey]);
    else if (event === 'chat' || event === 'chat.typing') receiveChatEvent(cache, event);
    else if (event === 'inbox.changed') {
      if (data.includes('"all"')) setTimeout(reloadInbox, Math.random() * spreadMs);
      else reloadInbox();
    } else if (event === 'content.changed') reload(cache, contentKeys);
    else if (event === 'catalogue.changed') reload(cache, gameKeys);
    // Followed draws are announced when their results are read.
    else if (event === 'lottery.settled') reload(cache, lotteryResultKeys);
    else if (event === 'jackpot.won') onJackpotWon(data);
    else if (event === 'closed') void cache.invalidateQueries({ queryKey: statusQuery.queryKey });
    else if (event === 'session' && isEnd(data)) {
      setTimeout(async () => {
        await endSession(token);
        // The session was ended on purpose, so do not log in again automatically.
        if (!currentSession()) setAutoLogin(false);
      }, endDelayMs);
    }
  }
  function onJackpotWon(data: string): void {
    void cache.invalidateQueries({ queryKey: memberKey });
    const loading = withMessages(import('../features/jackpot/win-toast.ts'), 'jackpot');
    // If the code cannot be loaded, the balance and the record still show the win.
    void loading.then(({ showWinToast }) => showWinToast(cache, data)).catch(() => {});
  }
  const closeStream = openStream({
    open: (signal) =>
      fetch('/wps/events', { headers: requestHeaders(), signal, cache: 'no-store' }),
    onEvent: receive,
    onOpen: () => void cache.invalidateQueries({ queryKey: memberKey }),
    onRefused: end,
  });
  let aliveAt = Date.now();
  const hasSlept = () => Date.now() - aliveAt >= 2 * keepAliveMs;
  function sendKeepAlive(): void {
    const slept = hasSlept();
    aliveAt = Date.now();
    // After a sleep of the device, replace the token in case it was stolen meanwhile.
    const task = slept
      ? import('../api/token-renewal.ts').then(({ renewToken }) => renewToken())
      : touch();
    // The client handles an ended session. Other failures are retried at the next interval.
    void task.catch(() => {});
  }
  function onVisible(): void {
    if (!document.hidden && hasSlept()) sendKeepAlive();
  }
  const timer = setInterval(sendKeepAlive, keepAliveMs);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    closeStream();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

function isEnd(data: string): boolean {
  try {
    return (JSON.parse(data) as { state?: unknown }).state === 'ended';
  } catch {
    return false;
  }
}
