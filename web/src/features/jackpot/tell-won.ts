// Shows a jackpot win on any screen, also over a game.
import { msg } from '@lingui/core/macro';
import type { QueryClient } from '@tanstack/react-query';

import { drawPath } from '../../api/pool.ts';
import { settingsQuery } from '../../api/system.ts';
import { currentLanguage } from '../../i18n/runtime.ts';
import { currencyOf } from '../../lib/currency.ts';
import { formatMoney } from '../../lib/money.ts';
import { navigate } from '../../lib/router.tsx';
import { toast } from '../../ui/toastStore.ts';

type Won = { amount: number; currency: string; series: number; nonce: number };

/** Shows the win until the member closes the toast. */
export function tellWon(cache: QueryClient, data: string): void {
  const won = read(data);
  if (!won) return;
  const { currency: set } = cache.getQueryData(settingsQuery.queryKey) ?? {};
  const symbol = set?.code === won.currency ? set.symbol : '';
  const amount = formatMoney(won.amount, {
    currency: currencyOf(won.currency, symbol),
    language: currentLanguage(),
    decimals: 'needed',
  });
  toast.show(msg`You have won the jackpot: ${amount}. It is on your balance already.`, {
    stays: true,
    action: { label: msg`See the proof`, onPress: () => navigate(drawPath(won)) },
  });
}

function read(data: string): Won | null {
  try {
    const { amount, currency, series, nonce } = JSON.parse(data) as Partial<Won>;
    const whole = [amount, series, nonce].every(Number.isFinite) && typeof currency === 'string';
    return whole ? ({ amount, currency, series, nonce } as Won) : null;
  } catch {
    return null;
  }
}
