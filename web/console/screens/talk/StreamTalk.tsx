import { useLingui } from '@lingui/react/macro';
import {
  Badge,
  Button,
  Group,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Link } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObjectPages } from '../../object/useObjectPages.ts';
import { describeError } from '../../server/errors.ts';
import { request } from '../../server/request.ts';
import { newClientId } from './ChatTypes.ts';
import { streamsPath, type Stream, type StreamLine } from './StreamTypes.ts';

const permission = 'chat.answer';

type StreamPage = { list: StreamLine[] | null; more: boolean };

/** The messages next to a live stream, with the buttons of a moderator. New messages appear automatically. */
export function StreamTalk({ stream }: { stream: Stream }) {
  const { t } = useLingui();
  const path = `${streamsPath}/${stream.id}`;
  const query = useObjectPages<StreamPage>(`${path}/messages`, ({ list, more }) => {
    const oldest = list?.at(-1);
    return more && oldest ? { before: String(oldest.seq) } : undefined;
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Messages`}>
      <Title order={3} size="h4">
        {t`Messages`}
      </Title>
      <Speak path={path} />
      <Detail query={query}>
        {({ pages }) => {
          const list = pages.flatMap((page) => page.list ?? []);
          return list.length > 0 ? (
            <Table.ScrollContainer minWidth={640} mah={420}>
              <Table aria-label={t`Messages`}>
                <Table.Tbody>
                  {list.map((line) => (
                    <Line key={line.seq} path={path} line={line} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          ) : (
            <Text c="dimmed">{t`Nobody has written yet.`}</Text>
          );
        }}
      </Detail>
      {query.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t`Earlier messages`}
        </Button>
      )}
    </Paper>
  );
}

/** Writes to the viewers, who see that the house wrote it. */
function Speak({ path }: { path: string }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  // The message that got no response. Sent again unchanged, it keeps its id, so that the server stores it once.
  const unconfirmed = useRef<{ clientId: string; text: string } | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!text.trim() || isBusy) return;
    const previous = unconfirmed.current;
    const body = previous?.text === text ? previous : { clientId: newClientId(), text };
    unconfirmed.current = body;
    setBusy(true);
    setError(null);
    try {
      await request('POST', `${path}/messages`, { body });
      unconfirmed.current = null;
      setText((current) => (current === text ? '' : current));
      void queryClient.invalidateQueries({ queryKey: ['object', `${path}/messages`] });
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group align="end" mb="md">
        <TextInput
          label={t`Message`}
          maxLength={200}
          value={text}
          error={error && describeError(error)}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
        <Button type="submit" loading={isBusy} disabled={!text.trim()}>
          {t`Send`}
        </Button>
      </Group>
    </form>
  );
}

function Line({ path, line }: { path: string; line: StreamLine }) {
  const { t } = useLingui();
  const { seq, username, text } = line;
  const operator = line.hiddenBy ?? '';
  const end = formatTime(line.mutedUntil);
  return (
    <Table.Tr>
      <Table.Td>{formatTime(line.at)}</Table.Td>
      <Table.Td>
        {line.operator ? (
          <Badge tt="none">{line.operator}</Badge>
        ) : (
          <Link href={`/members/${line.memberId}`}>{username}</Link>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={4}>
          <Text dir="auto" td={operator ? 'line-through' : 'none'}>
            {text}
          </Text>
          <Group gap="xs">
            {operator && (
              <Badge variant="outline" color="gray" tt="none">
                {t`Hidden by ${operator}`}
              </Badge>
            )}
            {line.mutedUntil > 0 && (
              <Badge variant="outline" color="red" tt="none">
                {t`Muted until ${end}`}
              </Badge>
            )}
          </Group>
        </Stack>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="end" wrap="nowrap">
          {!operator && (
            <ActionButton
              label={t`Hide`}
              size="xs"
              permission={permission}
              path={`${path}/hide`}
              body={{ seq }}
              reason="optional"
              change={<Text dir="auto">{text}</Text>}
            />
          )}
          {line.operator ? null : line.mutedUntil > 0 ? (
            <ActionButton
              label={t`End the mute`}
              size="xs"
              permission={permission}
              path={`${path}/mute`}
              body={{ seq, minutes: 0 }}
              reason="optional"
              change={t`${username} may write again.`}
            />
          ) : (
            <Mute path={path} line={line} />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Mute({ path, line }: { path: string; line: StreamLine }) {
  const { t } = useLingui();
  const [minutes, setMinutes] = useState('60');
  const { username } = line;
  return (
    <ActionButton
      label={t`Mute`}
      size="xs"
      color="red"
      permission={permission}
      path={`${path}/mute`}
      body={{ seq: line.seq, minutes: Number(minutes) }}
      reason="optional"
      change={t`${username} cannot write next to any live stream.`}
      fields={
        <Select
          label={t`For`}
          allowDeselect={false}
          value={minutes}
          onChange={(value) => setMinutes(value ?? '60')}
          data={[
            { value: '10', label: t`10 minutes` },
            { value: '60', label: t`1 hour` },
            { value: '1440', label: t`1 day` },
            { value: '10080', label: t`7 days` },
          ]}
        />
      }
    />
  );
}
