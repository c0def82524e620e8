import { useLingui } from '@lingui/react/macro';
import { Alert, Code, Group, TextInput } from '@mantine/core';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { Status } from '../control/Status.tsx';
import { BreakButton } from './BreakButton.tsx';
import type { MemberRow } from './MembersScreen.tsx';

export type Member = MemberRow & {
  language: string;
  vipLabel: string;
  tags: readonly string[];
  holdReason?: string;
  mustChangePassword: boolean;
  ageConfirmedAt?: number;
};

/** The changes that operators make to an account. */
export function MemberActions({ member, path }: { member: Member; path: string }) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [tag, setTag] = useState('');
  const body = { version: member.version };
  const isActive = member.status !== 'disabled';
  const sharedProps = { permission: 'member.edit', body, reason: 'optional' as const };
  const statusChange = (after: string) => [
    { label: t`Status`, before: <Status value={member.status} />, after: <Status value={after} /> },
  ];
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
        <ActionButton
          {...sharedProps}
          label={t`Reset payment password`}
          path={`${path}/reset-payment-password`}
          change={t`The payment password stops working. The member sets a new one with the account's password.`}
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
