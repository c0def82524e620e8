import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Anchor,
  Group,
  Image,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from '../control/Status.tsx';
import type { ScreenRoute } from '../routes.ts';

type Feedback = {
  id: string;
  memberId: string;
  member: string;
  category: string;
  content: string;
  images: number;
  status: string;
  answer?: string;
  answeredBy?: string;
  answeredAt?: number;
  createdAt: number;
  version: number;
};

const categories: Record<string, MessageDescriptor> = {
  deposit: msg`Deposits`,
  withdrawal: msg`Withdrawals`,
  game: msg`Games`,
  account: msg`Account`,
  suggestion: msg`Suggestion`,
  other: msg`Something else`,
};

function Category({ name }: { name: string }) {
  const { i18n } = useLingui();
  const label = categories[name];
  return <>{label ? i18n._(label) : name}</>;
}

const columns: readonly Column<Feedback>[] = [
  { key: 'createdAt', title: msg`Time`, render: ({ createdAt }) => formatTime(createdAt) },
  { key: 'member', title: msg`Member` },
  { key: 'category', title: msg`Kind`, render: ({ category }) => <Category name={category} /> },
  { key: 'content', title: msg`Text` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
  { key: 'answeredBy', title: msg`Answered by` },
];

function FeedbackListScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList<Feedback>
      name="feedback"
      path="/ops/v1/feedback"
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Username` },
        {
          name: 'state',
          kind: 'choice',
          label: msg`Status`,
          options: [
            { value: 'open', label: msg`Open` },
            { value: 'answered', label: msg`Answered` },
          ],
        },
        {
          name: 'category',
          kind: 'choice',
          label: msg`Kind`,
          options: Object.entries(categories).map(([value, label]) => ({ value, label })),
        },
      ]}
      onOpen={({ id }) => navigate(`/feedback/${id}`)}
    />
  );
}

function FeedbackScreen() {
  const { id = '' } = useParams();
  const query = useObject<Feedback>(`/ops/v1/feedback/${id}`);
  return <Detail query={query}>{(feedback) => <FeedbackView feedback={feedback} />}</Detail>;
}

function FeedbackView({ feedback }: { feedback: Feedback }) {
  const { t } = useLingui();
  const [answer, setAnswer] = useState('');
  const path = `/ops/v1/feedback/${feedback.id}`;
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={2}>
            <Category name={feedback.category} />
          </Title>
          <Status value={feedback.status} />
        </Group>
        {feedback.status === 'open' && (
          <ActionButton
            label={t`Answer`}
            variant="filled"
            permission="message.send"
            path={`${path}/answer`}
            body={{ version: feedback.version, text: answer }}
            change={t`The member reads the answer in the feedback history and in the inbox.`}
            fields={
              <Textarea
                label={t`Answer`}
                required
                rows={4}
                maxLength={1000}
                dir="auto"
                value={answer}
                onChange={(event) => setAnswer(event.currentTarget.value)}
              />
            }
          />
        )}
      </Group>
      <Fields
        rows={[
          {
            label: t`Member`,
            value: (
              <Anchor component={Link} href={`/members/${feedback.memberId}`}>
                {feedback.member}
              </Anchor>
            ),
          },
          { label: t`Time`, value: formatTime(feedback.createdAt) },
          { label: t`Answered by`, value: feedback.answeredBy },
        ]}
      />
      <Paper withBorder p="md" dir="auto">
        <Text style={{ whiteSpace: 'pre-wrap' }}>{feedback.content}</Text>
      </Paper>
      {feedback.images > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {Array.from({ length: feedback.images }, (_, index) => (
            <Image
              key={index}
              src={`${path}/image/${index + 1}`}
              alt={t`Picture ${index + 1}`}
              fit="contain"
              mah={480}
            />
          ))}
        </SimpleGrid>
      )}
      {feedback.answer && (
        <Paper withBorder p="md" dir="auto">
          <Text size="sm" c="dimmed">
            {t`Answer`} · {formatTime(feedback.answeredAt ?? null)}
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{feedback.answer}</Text>
        </Paper>
      )}
    </Stack>
  );
}

export const feedbackRoutes: readonly ScreenRoute[] = [
  { path: '/feedback', screen: FeedbackListScreen },
  { path: '/feedback/:id', screen: FeedbackScreen },
];
