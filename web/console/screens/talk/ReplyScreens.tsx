import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import type { SavedReply } from './ChatTypes.ts';

const columns: readonly Column<SavedReply>[] = [
  { key: 'title', title: msg`Title` },
  { key: 'texts', title: msg`Languages`, render: ({ texts }) => Object.keys(texts).join(' ') },
  { key: 'updatedAt', title: msg`Changed`, render: ({ updatedAt }) => formatTime(updatedAt) },
];

/** Texts that operators send often. */
export function RepliesScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <Stack>
      <Group>
        <Button component={Link} href="/replies/new">
          {t`New reply`}
        </Button>
        <Button component={Link} href="/chats" variant="default">
          {t`Chats`}
        </Button>
      </Group>
      <DataList<SavedReply>
        name="replies"
        path="/ops/v1/replies"
        columns={columns}
        filters={[{ name: 'q', kind: 'text', label: msg`Title` }]}
        onOpen={({ id }) => navigate(`/replies/${id}`)}
      />
    </Stack>
  );
}

export function ReplyScreen() {
  const { id } = useParams<{ id: string }>();
  return id === 'new' ? <ReplyForm reply={null} /> : <SavedReplyScreen id={id} />;
}

function SavedReplyScreen({ id }: { id: string }) {
  const reply = useObject<SavedReply>(`/ops/v1/replies/${encodeURIComponent(id)}`);
  return (
    <Detail query={reply}>{(value) => <ReplyForm key={value.version} reply={value} />}</Detail>
  );
}

const languages = [
  { code: 'vi', name: 'Tiếng Việt' },
  { code: 'en', name: 'English' },
  { code: 'ur', name: 'اردو' },
  { code: 'pt', name: 'Português' },
];

function ReplyForm({ reply }: { reply: SavedReply | null }) {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [title, setTitle] = useState(reply?.title ?? '');
  const [texts, setTexts] = useState<Record<string, string>>({ ...reply?.texts });
  const path = reply ? `/ops/v1/replies/${reply.id}` : '/ops/v1/replies';
  const save = useAction<SavedReply>({
    method: reply ? 'PUT' : 'POST',
    path,
    onDone: (saved) => navigate(`/replies/${saved.id}`),
  });
  const isComplete = title.trim() && Object.values(texts).some((text) => text.trim());
  return (
    <Stack maw={720}>
      <Title order={2}>{reply ? reply.title : t`New reply`}</Title>
      <TextInput
        label={t`Title`}
        maxLength={80}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      {languages.map(({ code, name }) => (
        <Textarea
          key={code}
          label={name}
          lang={code}
          rows={3}
          maxLength={2000}
          value={texts[code] ?? ''}
          onChange={(event) => setTexts({ ...texts, [code]: event.currentTarget.value })}
        />
      ))}
      <ActionResult error={save.error} approval={save.approval} />
      <Group>
        <Button
          loading={save.isBusy}
          disabled={!isComplete}
          onClick={() => void save.run({ title, texts, ...(reply && { version: reply.version }) })}
        >
          {t`Save`}
        </Button>
        {reply && (
          <ActionButton
            label={t`Delete`}
            color="red"
            permission="chat.answer"
            path={`${path}/delete`}
            body={{ version: reply.version }}
            reason="optional"
            change={reply.title}
            onDone={() => navigate('/replies')}
          />
        )}
      </Group>
    </Stack>
  );
}
