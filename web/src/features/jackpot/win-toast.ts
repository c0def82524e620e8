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

type Win = { amount: number; currency: string; series: number; nonce: number };

/** Shows the win until the member closes the toast. */
export function showWinToast(cache: QueryClient, data: string): void {
  const win = parseWin(data);
  if (!win) return;
  const { currency: merchantCurrency } = cache.getQueryData(settingsQuery.queryKey) ?? {};
  const symbol = merchantCurrency?.code === win.currency ? merchantCurrency.symbol : '';
  const amount = formatMoney(win.amount, {
    currency: currencyOf(win.currency, symbol),
    language: currentLanguage(),
    decimals: 'needed',
  });
  toast.show(msg`You have won the jackpot: ${amount}. It is on your balance already.`, {
    persistent: true,
    action: { label: msg`See the proof`, onPress: () => navigate(drawPath(win)) },
  });
}

function parseWin(data: string): Win | null {
  try {
    const { amount, currency, series, nonce } = JSON.parse(data) as Partial<Win>;
    const isValid = [amount, series, nonce].every(Number.isFinite) && typeof currency === 'string';
    return isValid ? ({ amount, currency, series, nonce } as Win) : null;
  } catch {
    return null;
  }
}
