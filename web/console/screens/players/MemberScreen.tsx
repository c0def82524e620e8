import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Badge,
  Code,
  Group,
  Stack,
  Table,
  Tabs,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatMoney, formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { useCan } from '../../server/permissions.ts';
import { BreakButton } from './BreakButton.tsx';
import { MemberDocuments } from './MemberDocuments.tsx';
import type { MemberRow } from './MembersScreen.tsx';
import type { RoundRow } from './RoundsScreen.tsx';
import type { TransferRow } from './TransfersScreen.tsx';

type Member = MemberRow & {
  language: string;
  vipLabel: string;
  tags: readonly string[];
  holdReason?: string;
  mustChangePassword: boolean;
  ageConfirmedAt?: number;
};

type List<T> = { list: readonly T[] };

/** One member with the profile, the actions and a tab for each kind of record. */
export function MemberScreen() {
  const { id } = useParams<{ id: string }>();
  const path = `/ops/v1/members/${encodeURIComponent(id)}`;
  const member = useObject<Member>(path);
  return (
    <Detail query={member}>
      {(value) => (
        <Stack>
          <Group>
            <Title order={2}>{value.username}</Title>
            <Badge color={value.status === 'active' ? 'green' : 'red'}>{value.status}</Badge>
            {value.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </Group>
          <Actions member={value} path={path} />
          <Records member={value} path={path} />
        </Stack>
      )}
    </Detail>
  );
}

function Actions({ member, path }: { member: Member; path: string }) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [tag, setTag] = useState('');
  const body = { version: member.version };
  const isActive = member.status !== 'disabled';
  const sharedProps = { permission: 'member.edit', body, reason: 'optional' as const };
  const statusChange = (after: string) => [{ label: t`Status`, before: member.status, after }];
  return (
    <>
      {password && (
        <Alert
          title={t`One-time password, shown once`}
          withCloseButton
          onClose={() => setPassword('')}
        >
          <Code>{password}</Code>
        </Alert>
      )}
      <Group>
        {member.status === 'held' && (
          <>
            <ActionButton
              {...sharedProps}
              label={t`Approve`}
              path={`${path}/approve`}
              change={statusChange('active')}
            />
            <ActionButton
              {...sharedProps}
              label={t`Refuse`}
              color="red"
              path={`${path}/refuse`}
              change={statusChange('disabled')}
            />
          </>
        )}
        {isActive ? (
          <ActionButton
            {...sharedProps}
            label={t`Disable`}
            color="red"
            path={`${path}/disable`}
            change={statusChange('disabled')}
          />
        ) : (
          <ActionButton
            {...sharedProps}
            label={t`Enable`}
            path={`${path}/enable`}
            change={statusChange('active')}
          />
        )}
        <ActionButton
          {...sharedProps}
          label={t`Log out`}
          path={`${path}/logout`}
          change={t`All sessions of the member end.`}
        />
        <ActionButton<{ password: string }>
          {...sharedProps}
          label={t`Reset password`}
          path={`${path}/reset-password`}
          change={t`The password stops working and all sessions end. You see a one-time password, which the member must change.`}
          onDone={(done) => setPassword(done.password)}
        />
        <BreakButton path={`${path}/break`} version={member.version} />
        <ActionButton
          {...sharedProps}
          label={t`Add a tag`}
          path={`${path}/tag`}
          body={{ ...body, tag: tag.trim() }}
          change={[
            {
              label: t`Tags`,
              before: member.tags.join(', '),
              after: [...member.tags, tag.trim()].join(', '),
            },
          ]}
          fields={
            <TextInput
              label={t`Tag`}
              maxLength={32}
              value={tag}
              onChange={(event) => setTag(event.currentTarget.value)}
            />
          }
        />
        {member.tags.map((each) => (
          <ActionButton
            {...sharedProps}
            key={each}
            label={t`Remove tag ${each}`}
            path={`${path}/untag`}
            body={{ ...body, tag: each }}
            change={[
              {
                label: t`Tags`,
                before: member.tags.join(', '),
                after: member.tags.filter((other) => other !== each).join(', '),
              },
            ]}
          />
        ))}
      </Group>
    </>
  );
}

/** A tab of the member's records. */
type Tab = { value: string; label: string; content: ReactNode };

function Records({ member, path }: { member: Member; path: string }) {
  const { t } = useLingui();
  const canReport = useCan('report.read');
  const canReview = useCan('kyc.review');
  const tabs: Tab[] = [
    { value: 'profile', label: t`Profile`, content: <Profile member={member} /> },
    { value: 'wallets', label: t`Wallets`, content: <Wallets path={path} /> },
    ...(canReport
      ? [
          { value: 'movements', label: t`Movements`, content: <Movements id={member.id} /> },
          { value: 'rounds', label: t`Rounds`, content: <Rounds id={member.id} /> },
        ]
      : []),
    { value: 'sessions', label: t`Sessions`, content: <Sessions path={path} /> },
    { value: 'limits', label: t`Limits`, content: <Limits path={path} /> },
    { value: 'notes', label: t`Notes`, content: <Notes path={path} /> },
    ...(canReview
      ? [{ value: 'documents', label: t`Documents`, content: <MemberDocuments id={member.id} /> }]
      : []),
    { value: 'shared', label: t`Shared`, content: <Shared path={path} /> },
  ];
  return (
    <Tabs defaultValue="profile" keepMounted={false}>
      <Tabs.List>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Profile({ member }: { member: Member }) {
  const { t } = useLingui();
  return (
    <Fields
      rows={[
        { label: t`Id`, value: member.id },
        { label: t`Nickname`, value: member.nickname },
        { label: t`Real name`, value: member.realName },
        { label: t`Number`, value: member.mobile },
        { label: t`E-mail`, value: member.email },
        { label: t`Currency`, value: member.currency },
        { label: t`Language`, value: member.language },
        { label: t`Registered`, value: formatTime(member.createdAt) },
        { label: t`Age confirmed`, value: formatTime(member.ageConfirmedAt) },
        { label: t`Must change the password`, value: member.mustChangePassword ? t`Yes` : t`No` },
        ...(member.holdReason ? [{ label: t`Held because of`, value: member.holdReason }] : []),
      ]}
    />
  );
}

type RowsProps = {
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
};

function Rows({ head, rows }: RowsProps) {
  const { t } = useLingui();
  if (rows.length === 0) return <Text>{t`Nothing found`}</Text>;
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {head.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, column) => (
                <Table.Td key={head[column]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Wallets({ path }: { path: string }) {
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
            cells: [wallet.kind, formatMoney(wallet.balance, wallet.currency)],
          }))}
        />
      )}
    </Detail>
  );
}

function Movements({ id }: { id: string }) {
  const { t } = useLingui();
  const movements = useObject<List<TransferRow>>(`/ops/v1/transfers?member=${id}`);
  return (
    <Detail query={movements}>
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
                transfer.kind,
                formatMoney(transfer.amount, transfer.currency),
                transfer.from,
                transfer.to,
              ],
            }))}
          />
          <Anchor component={Link} href={`/transfers?member=${id}`}>{t`All movements`}</Anchor>
        </>
      )}
    </Detail>
  );
}

function Rounds({ id }: { id: string }) {
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
                round.status,
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

function Sessions({ path }: { path: string }) {
  const { t } = useLingui();
  const sessions = useObject<List<Session>>(`${path}/sessions`);
  return (
    <Detail query={sessions}>
      {({ list }) => (
        <Rows
          head={[t`Last seen`, t`Device`, t`Address`, t`Status`]}
          rows={list.map((session) => ({
            key: session.id,
            cells: [formatTime(session.seenAt), session.device, session.address, session.status],
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

function Limits({ path }: { path: string }) {
  const { t } = useLingui();
  const limits = useObject<LimitsValue>(`${path}/limits`);
  return (
    <Detail query={limits}>
      {(value) => (
        <Stack>
          <Fields
            rows={[
              { label: t`Break`, value: value.break?.period },
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
                limit.kind,
                limit.period,
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

type Note = { id: string; kind: string; operator: string; text: string; createdAt: number };

function Notes({ path }: { path: string }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const notes = useObject<List<Note>>(`${path}/notes`);
  return (
    <Stack align="start">
      <ActionButton
        label={t`Write a note`}
        permission="member.edit"
        path={`${path}/notes`}
        body={{ text }}
        change={t`Operators see the note. The member does not.`}
        fields={
          <Textarea
            label={t`Note`}
            rows={4}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        }
        onDone={() => setText('')}
      />
      <Detail query={notes}>
        {({ list }) => (
          <Rows
            head={[t`Time`, t`Operator`, t`Note`]}
            rows={list.map((note) => ({
              key: note.id,
              cells: [formatTime(note.createdAt), note.operator, note.text],
            }))}
          />
        )}
      </Detail>
    </Stack>
  );
}

type SharedRow = { id: string; username: string; status: string; kind: string; value: string };

function Shared({ path }: { path: string }) {
  const { t } = useLingui();
  const shared = useObject<List<SharedRow>>(`${path}/shared`);
  return (
    <Detail query={shared}>
      {({ list }) => (
        <Rows
          head={[t`Account`, t`Status`, t`Shares`, t`Value`]}
          rows={list.map((account) => ({
            key: account.kind + account.value + account.id,
            cells: [
              <Anchor key="link" component={Link} href={`/members/${account.id}`}>
                {account.username}
              </Anchor>,
              account.status,
              account.kind,
              account.value,
            ],
          }))}
        />
      )}
    </Detail>
  );
}
