import { useLingui } from '@lingui/react/macro';
import { Anchor, Stack } from '@mantine/core';
import { Link } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { Label } from '../../object/Label.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from '../control/Status.tsx';
import {
  accountLabels,
  limitLabels,
  periodLabels,
  roundLabels,
  sharedLabels,
  transferLabels,
} from './labels.ts';
import type { RoundRow } from './RoundsScreen.tsx';
import { Rows } from './Rows.tsx';
import type { TransferRow } from './TransfersScreen.tsx';

type List<T> = { list: readonly T[] };

export function MemberWallets({ path }: { path: string }) {
  const { t } = useLingui();
  const wallets = useObject<readonly { kind: string; currency: string; balance: number }[]>(
    `${path}/wallets`,
  );
  return (
    <Detail query={wallets}>
      {(list) => (
        <Rows
          head={[t`Account`, t`Balance`]}
          rows={list.map((wallet) => ({
            key: wallet.kind + wallet.currency,
            cells: [
              <Label key="kind" labels={accountLabels} value={wallet.kind} />,
              formatMoney(wallet.balance, wallet.currency),
            ],
          }))}
        />
      )}
    </Detail>
  );
}

export function MemberTransfers({ id }: { id: string }) {
  const { t } = useLingui();
  const transfers = useObject<List<TransferRow>>(`/ops/v1/transfers?member=${id}`);
  return (
    <Detail query={transfers}>
      {({ list }) => (
        <>
          <Rows
            head={[t`Time`, t`Kind`, t`Amount`, t`From`, t`To`]}
            rows={list.map((transfer) => ({
              key: transfer.id,
              cells: [
                <Anchor key="link" component={Link} href={`/transfers/${transfer.id}`}>
                  {formatTime(transfer.createdAt)}
                </Anchor>,
                <Label key="kind" labels={transferLabels} value={transfer.kind} />,
                formatMoney(transfer.amount, transfer.currency),
                transfer.from,
                transfer.to,
              ],
            }))}
          />
          <Anchor component={Link} href={`/transfers?member=${id}`}>{t`All transfers`}</Anchor>
        </>
      )}
    </Detail>
  );
}

export function MemberRounds({ id }: { id: string }) {
  const { t } = useLingui();
  const rounds = useObject<List<RoundRow>>(`/ops/v1/rounds?member=${id}`);
  return (
    <Detail query={rounds}>
      {({ list }) => (
        <>
          <Rows
            head={[t`Time`, t`Game`, t`Stake`, t`Win`, t`Status`]}
            rows={list.map((round) => ({
              key: round.id,
              cells: [
                <Anchor key="link" component={Link} href={`/rounds/${round.id}`}>
                  {formatTime(round.startedAt)}
                </Anchor>,
                round.game,
                formatMoney(round.stake, round.currency),
                formatMoney(round.win, round.currency),
                <Label key="status" labels={roundLabels} value={round.status} />,
              ],
            }))}
          />
          <Anchor component={Link} href={`/rounds?member=${id}`}>{t`All rounds`}</Anchor>
        </>
      )}
    </Detail>
  );
}

type Session = { id: string; device: string; address: string; seenAt: number; status: string };

export function MemberSessions({ path }: { path: string }) {
  const { t } = useLingui();
  const sessions = useObject<List<Session>>(`${path}/sessions`);
  return (
    <Detail query={sessions}>
      {({ list }) => (
        <Rows
          head={[t`Last seen`, t`Device`, t`Address`, t`Status`]}
          rows={list.map((session) => ({
            key: session.id,
            cells: [
              formatTime(session.seenAt),
              session.device,
              session.address,
              <Status key="status" value={session.status} />,
            ],
          }))}
        />
      )}
    </Detail>
  );
}

type LimitsValue = {
  currency: string;
  checkMinutes: number;
  limits: readonly {
    kind: string;
    period: string;
    amount: number | null;
    used: number;
    pending: boolean;
  }[];
  break?: { kind: string; period: string; since: number; until: number };
};

export function MemberLimits({ path }: { path: string }) {
  const { t } = useLingui();
  const limits = useObject<LimitsValue>(`${path}/limits`);
  return (
    <Detail query={limits}>
      {(value) => (
        <Stack>
          <Fields
            rows={[
              {
                label: t`Break`,
                value: value.break && <Label labels={periodLabels} value={value.break.period} />,
              },
              {
                label: t`Break until`,
                value: value.break
                  ? value.break.until
                    ? formatTime(value.break.until)
                    : t`For life`
                  : '',
              },
              { label: t`Reality check (minutes)`, value: value.checkMinutes || '' },
            ]}
          />
          <Rows
            head={[t`Kind`, t`Period`, t`Limit`, t`Used`, t`Raise requested`]}
            rows={value.limits.map((limit) => ({
              key: limit.kind + limit.period,
              cells: [
                <Label key="kind" labels={limitLabels} value={limit.kind} />,
                <Label key="period" labels={periodLabels} value={limit.period} />,
                limit.amount === null ? '–' : formatMoney(limit.amount, value.currency),
                formatMoney(limit.used, value.currency),
                limit.pending ? t`Yes` : t`No`,
              ],
            }))}
          />
        </Stack>
      )}
    </Detail>
  );
}

type LinkedAccount = { id: string; username: string; status: string; kind: string; value: string };

export function LinkedAccounts({ path }: { path: string }) {
  const { t } = useLingui();
  const accounts = useObject<List<LinkedAccount>>(`${path}/shared`);
  return (
    <Detail query={accounts}>
      {({ list }) => (
        <Rows
          head={[t`Account`, t`Status`, t`Shared detail`, t`Value`]}
          rows={list.map((account) => ({
            key: account.kind + account.value + account.id,
            cells: [
              <Anchor key="link" component={Link} href={`/members/${account.id}`}>
                {account.username}
              </Anchor>,
              <Status key="status" value={account.status} />,
              <Label key="kind" labels={sharedLabels} value={account.kind} />,
              account.value,
            ],
          }))}
        />
      )}
    </Detail>
  );
}
