import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { applyBalance, walletQuery } from '../../api/wallet.ts';
import { answerWith } from '../../lib/testing/answers.ts';
import { renderScreen } from '../../lib/testing/screen.tsx';
import { useDisplayedBalance } from './useDisplayedBalance.ts';

function Bar() {
  const [busy, setBusy] = useState(false);
  return (
    <button type="button" onClick={() => setBusy(!busy)}>
      <output>{useDisplayedBalance(busy)}</output>
    </button>
  );
}

const toggleBusy = () => act(() => screen.getByRole('button').click());

const shown = () => screen.getByRole('status').textContent;
const cash = (balance: string, version: number) =>
  JSON.stringify({ kind: 'cash', currency: 'VND', balance: Number(balance), version });

function renderBar() {
  answerWith({
    'GET /wps/v2/wallets/balance': {
      sumBalance: 1000,
      currency: 'VND',
      currencySymbol: '₫',
      balance: [{ kind: 'cash', currency: 'VND', balance: 1000, version: 1 }],
    },
  });
  return renderScreen(<Bar />);
}

for (const [what, after] of [
  ['more than was staked', '1400'],
  ['less than was staked', '950'],
] as const) {
  test(`PP-01 in part: the stake shows at once and a win of ${what} after the round, even if both arrive in one render`, async () => {
    const { cache } = renderBar();
    await expect.poll(shown).toBe('1000');
    toggleBusy();
    act(() => {
      applyBalance(cache, cash('900', 2));
      applyBalance(cache, cash(after, 3));
    });
    await expect.poll(() => cache.getQueryData(walletQuery.queryKey)?.total).toBe(after);
    await expect.poll(shown).toBe('900');
    toggleBusy();
    await expect.poll(shown).toBe(after);
  });
}
