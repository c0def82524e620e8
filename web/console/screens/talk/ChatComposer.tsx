import { useLingui } from '@lingui/react/macro';
import { Alert, Button, FileButton, Group, Select, Stack, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';

import { describeError } from '../../server/errors.ts';
import { operatorKey, sessionQuery } from '../../server/queries.ts';
import { request } from '../../server/request.ts';
import { newClientId, type ChatDetail, type SavedReply } from './ChatTypes.ts';

const typingIntervalMs = 3_000;

/** The unsent text of each chat, kept while the operator switches between chats. */
const drafts = new Map<string, string>();

/** The message of each chat that got no response. Sent again unchanged, it keeps its id, so that the server stores it once. */
const unconfirmed = new Map<string, { clientId: string; text: string }>();

/** The same for the picture of each chat. */
const unconfirmedPictures = new Map<string, { clientId: string; file: File }>();

const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** Writes to the customer. */
export function ChatComposer({ chat, path }: { chat: ChatDetail; path: string }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { data: operator } = useQuery({ ...sessionQuery, enabled: false });
  // Another operator may log in on this page.
  const draftKey = `${operator ? operatorKey(operator) : ''}/${chat.id}`;
  const [text, setText] = useState(drafts.get(draftKey) ?? '');
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const typingSentAt = useRef(0);
  const resetPicture = useRef<() => void>(null);
  const replies = useQuery({
    queryKey: ['list', '/ops/v1/replies', { pageSize: '100' }],
    queryFn: () =>
      request<{ list: SavedReply[] }>('GET', '/ops/v1/replies', { query: { pageSize: '100' } }),
  });

  function changeText(next: string): void {
    setText(next);
    drafts.set(draftKey, next);
    if (Date.now() - typingSentAt.current < typingIntervalMs) return;
    typingSentAt.current = Date.now();
    // If this fails, the customer only misses the typing hint.
    request('POST', `${path}/typing`).catch(() => {});
  }

  async function sendAndReload(send: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setError(null);
    try {
      await send();
      void queryClient.invalidateQueries({ queryKey: ['list', `${path}/messages`] });
      return true;
    } catch (thrown) {
      setError(thrown as Error);
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function submit(): Promise<void> {
    if (!text.trim() || isBusy) return;
    const previous = unconfirmed.get(draftKey);
    const body = previous?.text === text ? previous : { clientId: newClientId(), text };
    unconfirmed.set(draftKey, body);
    if (await sendAndReload(() => request('POST', `${path}/messages`, { body }))) {
      unconfirmed.delete(draftKey);
      // The operator may have typed the next message meanwhile.
      if (drafts.get(draftKey) === text) drafts.delete(draftKey);
      setText((current) => (current === text ? '' : current));
    }
  }

  async function sendPicture(file: File | null): Promise<void> {
    if (!file || isBusy) return;
    // Otherwise the browser ignores the same file when it is chosen again.
    resetPicture.current?.();
    const previous = unconfirmedPictures.get(draftKey);
    const picture =
      previous && isSameFile(previous.file, file) ? previous : { clientId: newClientId(), file };
    unconfirmedPictures.set(draftKey, picture);
    const form = new FormData();
    form.append('clientId', picture.clientId);
    form.append('image', file);
    if (await sendAndReload(() => request('POST', `${path}/images`, { form })))
      unconfirmedPictures.delete(draftKey);
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  }

  function insertReply(id: string | null): void {
    const reply = replies.data?.list.find((item) => item.id === id);
    const chosen = reply && (reply.texts[chat.language] ?? Object.values(reply.texts)[0]);
    if (chosen) changeText(text ? `${text}\n${chosen}` : chosen);
  }

  return (
    <Stack gap="xs">
      {error && (
        <Alert color="red" role="alert">
          {describeError(error)}
        </Alert>
      )}
      <Textarea
        label={t`Message`}
        rows={3}
        maxLength={2000}
        value={text}
        onChange={(event) => changeText(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <Group justify="space-between" align="end">
        <Select
          label={t`Saved replies`}
          searchable
          value={null}
          data={(replies.data?.list ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          onChange={insertReply}
        />
        <Group>
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            resetRef={resetPicture}
            onChange={(file) => void sendPicture(file)}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {t`Send a picture`}
              </Button>
            )}
          </FileButton>
          <Button loading={isBusy} disabled={!text.trim()} onClick={() => void submit()}>
            {t`Send`}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
