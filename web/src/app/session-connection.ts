// The event stream and the keep-alive of a session. They are a separate chunk, because visitors do not need them.
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
import { maxDrawJitterMs } from '../lib/draw-reload.ts';
import type { ServerEvent } from '../lib/sse.ts';
import { withMessages } from './with-messages.ts';

/** After a logout in another tab, the stream closes before the storage event arrives. The delay lets the storage event arrive first. */
const endDelayMs = 600;

export const keepAliveMs = 180_000;

/** Queries to reload after an operator changes the content. */
const contentKeys = [
  viewerKey,
  unreadQuery.queryKey,
  ['system', 'page'],
  ['system', 'pages'],
  ['system', 'help'],
];
/** Queries to reload after an operator changes the games. */
const gameKeys = [['games']];

function reload(cache: QueryClient, keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) void cache.invalidateQueries({ queryKey });
}

/** Maximum random delay before the inbox reloads after a message to all members, so that clients do not reload at the same time. */
const maxJitterMs = 10_000;

/** The server reuses the list of lottery games for so long. */
const resultsAgeMs = 1000;

/** Opens the event stream of a session and keeps the session alive. Returns a function that stops both. */
export function connectSession(cache: QueryClient, token: string): () => void {
  const end = () => setTimeout(endSession, endDelayMs, token);
  const reloadInbox = throttle(() => reload(cache, [inboxKey, feedbackKey]), throttleMs);
  const reloadResults = throttle(() => reload(cache, lotteryResultKeys), throttleMs);
  function receive({ event, data }: ServerEvent) {
    if (event === 'balance') {
      applyBalance(cache, data);
      reload(cache, [withdrawTermsQuery.queryKey]);
    }
    // For example, the member took a break in another tab.
    else if (event === 'limits.changed' || event === 'kyc')
      void cache.invalidateQueries({ queryKey: memberKey });
    // A credited or closed deposit also changes the remaining deposit limit.
    else if (event === 'deposit.changed') reload(cache, [depositsKey, limitsQuery.queryKey]);
    else if (event === 'withdraw.changed') reload(cache, [withdrawalsKey]);
    // A claimed or ended bonus also changes the bonus account.
    else if (event === 'reward.changed')
      reload(cache, [rewardsKey, promotionsKey, walletQuery.queryKey]);
    else if (event === 'chat' || event === 'chat.typing') receiveChatEvent(cache, event);
    else if (event === 'inbox.changed') {
      if (data.includes('"all"')) setTimeout(reloadInbox, Math.random() * maxJitterMs);
      else reloadInbox();
    } else if (event === 'content.changed') reload(cache, contentKeys);
    else if (event === 'catalogue.changed') reload(cache, gameKeys);
    // Reloading the results also announces the draws that the member follows.
    else if (event === 'lottery.settled')
      setTimeout(reloadResults, resultsAgeMs + Math.random() * maxDrawJitterMs);
    else if (event === 'jackpot.won') onJackpotWon(data);
    // The site has closed.
    else if (event === 'closed') void cache.invalidateQueries({ queryKey: statusQuery.queryKey });
    else if (event === 'session' && isSessionEnd(data)) {
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
  renewPush();
  let aliveAt = Date.now();
  const hasSlept = () => Date.now() - aliveAt >= 2 * keepAliveMs;
  function sendKeepAlive(): void {
    const slept = hasSlept();
    aliveAt = Date.now();
    // After a long pause, for example device sleep, replace the token: it may have leaked meanwhile.
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

/** Registers this browser's push subscription for the new login. */
function renewPush(): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  // If it fails, the notifications screen tries again.
  void import('../features/notifications/push.ts').then((push) => push.renewPush()).catch(() => {});
}

function isSessionEnd(data: string): boolean {
  try {
    return (JSON.parse(data) as { state?: unknown }).state === 'ended';
  } catch {
    return false;
  }
}
