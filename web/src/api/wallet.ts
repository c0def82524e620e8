import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { client, parsedValue } from './client.ts';
import { parseExact } from './exact-json.ts';
import { memberKey } from './member.ts';

/** One of a member's accounts. The version increases with every change of the balance. */
type Account = { kind: string; currency: string; balance: string; version: number };

/** A member's money. Amounts are the server's decimal text. */
export type Wallet = {
  /** The money available for play. */
  total: string;
  currency: string;
  symbol: string;
  accounts: readonly Account[];
};

type WalletResponse = {
  sumBalance: string;
  currency: string;
  currencySymbol: string;
  balance: Account[];
};

/** The fields that hold exact amounts. */
const exact: ReadonlySet<string> = new Set(['balance', 'sumBalance']);

const walletKey = [...memberKey, 'wallet'] as const;
/** The accounts received as events. A response may be older than an event, so these override it. */
const eventsKey = [...memberKey, 'balances'] as const;

export const walletQuery = queryOptions({
  queryKey: walletKey,
  queryFn: async ({ client: cache }): Promise<Wallet> => {
    const request = client.GET('/wps/v2/wallets/balance', { parseAs: 'text' });
    const response = await parsedValue<WalletResponse>(request, (text) => parseExact(text, exact));
    const fetched: Wallet = {
      total: response.sumBalance,
      currency: response.currency,
      symbol: response.currencySymbol,
      accounts: response.balance ?? [],
    };
    return (cache.getQueryData<Account[]>(eventsKey) ?? []).reduce(withAccount, fetched);
  },
  staleTime: 30_000,
});

/** Applies a `balance` event of the stream to the cached wallet. */
export function applyBalance(cache: QueryClient, data: string): void {
  const account = parseExact(data, exact) as Account;
  cache.setQueryData<Account[]>(eventsKey, (received = []) => [
    ...received.filter((each) => !sameAccount(each, account) || each.version > account.version),
    account,
  ]);
  cache.setQueryData<Wallet>(walletKey, (wallet) => wallet && withAccount(wallet, account));
}

/** Returns the wallet with a newer state of one account, or the same wallet if the state is not newer. */
export function withAccount(wallet: Wallet, account: Account): Wallet {
  const before = wallet.accounts.find((each) => sameAccount(each, account));
  if (!before || account.version <= before.version) return wallet;
  return {
    ...wallet,
    total:
      account.currency === wallet.currency && isPlayable(account)
        ? sum(wallet.total, account.balance, negated(before.balance))
        : wallet.total,
    accounts: wallet.accounts.map((each) => (each === before ? account : each)),
  };
}

/** The total excludes held money and vendor wallets. */
function isPlayable({ kind }: Account): boolean {
  return kind !== 'held' && !kind.startsWith('wallet:');
}

function sameAccount(a: Account, b: Account): boolean {
  return a.kind === b.kind && a.currency === b.currency;
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Adds decimal texts exactly, with as many decimal places as the longest amount has. */
function sum(...amounts: string[]): string {
  const decimals = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const total = amounts.reduce((all, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.');
    return all + BigInt(whole + fraction.padEnd(decimals, '0'));
  }, 0n);
  if (decimals === 0) return total.toString();
  const digits = (total < 0n ? -total : total).toString().padStart(decimals + 1, '0');
  return `${total < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
