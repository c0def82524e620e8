// The card that stands over the reels while nothing can be staked, for each state of the game.
import { t } from '@lingui/core/macro';

import { leaveAfter } from '../kit/api.ts';
import { tell } from '../kit/bridge.ts';
import { limitCard, stopCard, troubleCard } from '../kit/panel.ts';
import { fitting, type State } from './state.ts';
import type { Words } from './words.ts';

const leave = (): void => tell({ type: 'close' });
const limits = (): void => tell({ type: 'limits' });

export function panelOf(
  state: State,
  { money }: Pick<Words, 'money'>,
  onLower: () => void,
): HTMLElement | null {
  const { stop, limit, heard, trouble, paused, spin, phase } = state;
  if (stop === 'limit') {
    const fit = fitting(state);
    const amount = money(fit ?? 0);
    const label = limit ? t`Lower the stake to ${amount}` : t`Play on`;
    const lower = fit === null ? null : { label, run: onLower };
    return limitCard(limit, { money, lower: heard ? lower : null, limits, leave });
  }
  if (stop) return stopCard(stop, leave);
  // Where the app has stopped the game it says itself that the line is lost.
  if (!trouble || paused) return null;
  const long = performance.now() - trouble.since >= leaveAfter;
  const stake = phase === 'spinning' && spin ? money(spin.stake) : null;
  return troubleCard(trouble.attempt, stake, long ? leave : null);
}
