import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
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
  return id === 'new' ? <ReplyForm reply={blankReply} /> : <SavedReplyScreen id={id} />;
}

function SavedReplyScreen({ id }: { id: string }) {
  const reply = useObject<SavedReply>(`/ops/v1/replies/${encodeURIComponent(id)}`);
  return <Detail query={reply}>{(value) => <ReplyForm key={value.id} reply={value} />}</Detail>;
}

const languages = [
  { code: 'vi', name: 'Tiếng Việt' },
  { code: 'en', name: 'English' },
  { code: 'ur', name: 'اردو' },
  { code: 'pt', name: 'Português' },
];

const blankReply: SavedReply = { id: '', title: '', texts: {}, updatedAt: 0, version: 0 };

const replyDraft = ({ title, texts }: SavedReply) => ({ title, texts });

function ReplyForm({ reply }: { reply: SavedReply }) {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const form = useDraft(reply, replyDraft);
  const { title, texts } = form.draft;
  const isNew = reply.id === '';
  const path = isNew ? '/ops/v1/replies' : `/ops/v1/replies/${reply.id}`;
  const save = useAction<SavedReply>({ method: isNew ? 'POST' : 'PUT', path });
  const isComplete = title.trim() && Object.values(texts).some((text) => text.trim());

  async function send(): Promise<void> {
    const saved = await save.run({ title, texts, ...(!isNew && { version: form.base.version }) });
    if (!saved) return;
    form.load(saved);
    navigate(`/replies/${saved.id}`);
  }

  return (
    <Stack maw={720}>
      <Title order={2}>{isNew ? t`New reply` : reply.title}</Title>
      <TextInput
        label={t`Title`}
        maxLength={80}
        value={title}
        onChange={(event) => form.change({ title: event.currentTarget.value })}
      />
      {languages.map(({ code, name }) => (
        <Textarea
          key={code}
          label={name}
          lang={code}
          rows={3}
          maxLength={2000}
          value={texts[code] ?? ''}
          onChange={(event) =>
            form.change({ texts: { ...texts, [code]: event.currentTarget.value } })
          }
        />
      ))}
      {form.isOutdated && <NewerVersion onLoad={() => form.load(reply)} />}
      <ActionResult error={save.error} approval={save.approval} />
      <Group>
        <Button loading={save.isBusy} disabled={!isComplete} onClick={() => void send()}>
          {t`Save`}
        </Button>
        {!isNew && (
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
