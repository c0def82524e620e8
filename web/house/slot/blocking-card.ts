// The card over the reels while no round can start.
import { t } from '@lingui/core/macro';

import { leaveOfferedAfterMs } from '../kit/api.ts';
import { sendToApp } from '../kit/bridge.ts';
import { limitCard, stopCard, troubleCard } from '../kit/cards.ts';
import { highestAllowedStake, type State } from './state.ts';
import type { Texts } from './texts.ts';

const leave = (): void => sendToApp({ type: 'close' });
const limits = (): void => sendToApp({ type: 'limits' });

export function blockingCard(
  state: State,
  { money }: Pick<Texts, 'money'>,
  onLower: () => void,
): HTMLElement | null {
  const { stop, limit, isLimitKnown, trouble, paused, spin, phase } = state;
  if (stop === 'limit') {
    const fit = highestAllowedStake(state);
    const amount = money(fit ?? 0);
    const label = limit ? t`Lower the stake to ${amount}` : t`Play on`;
    const lower = fit === null ? null : { label, run: onLower };
    return limitCard(limit, { money, lower: isLimitKnown ? lower : null, limits, leave });
  }
  if (stop) return stopCard(stop, leave);
  // While the app pauses the game, the app itself shows the connection error.
  if (!trouble || paused) return null;
  const long = performance.now() - trouble.since >= leaveOfferedAfterMs;
  const stake = phase === 'spinning' && spin ? money(spin.stake) : null;
  return troubleCard(trouble.attempt, stake, long ? leave : null);
}
