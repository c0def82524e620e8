import { useLingui } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useLocation } from 'wouter';

import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { DateTimeField } from '../../object/DateTimeField.tsx';
import { NewerVersion } from '../../object/NewerVersion.tsx';
import { useDraft } from '../../object/useDraft.ts';
import { PictureInput } from '../offer/content/PictureInput.tsx';
import { languageNames } from './MessageTypes.ts';
import { streamDraft, streamsPath, type Stream } from './StreamTypes.ts';

const maxGames = 12;

/** Edits a live stream, or creates one. The form keeps its values when the server refuses them. */
export function StreamForm({ stream }: { stream: Stream }) {
  const { t, i18n } = useLingui();
  const [, navigate] = useLocation();
  const form = useDraft(stream, streamDraft);
  const { draft, change } = form;
  const isNew = stream.id === '';
  const save = useAction<Stream>({
    method: isNew ? 'POST' : 'PUT',
    path: isNew ? streamsPath : `${streamsPath}/${stream.id}`,
  });
  const names = Object.fromEntries(
    Object.entries(draft.names).filter(([, name]) => name.trim() !== ''),
  );
  const isComplete =
    Boolean(names['vi'] ?? names['en']) &&
    draft.url.trim() !== '' &&
    !Number.isNaN(draft.startsAt + draft.endsAt);
  const { host, active, recorded, chat, startsAt, endsAt } = draft;
  const body = {
    names,
    host,
    url: draft.url.trim(),
    poster: draft.poster.trim(),
    games: draft.games ?? [],
    active,
    recorded,
    chat,
    startsAt,
    endsAt,
    ...(!isNew && { version: form.base.version }),
  };

  async function send(): Promise<void> {
    const saved = await save.run(body);
    if (!saved) return;
    form.load(saved);
    navigate(`/streams/${saved.id}`);
  }

  return (
    <Stack maw={960}>
      <Fieldset legend={t`Name`}>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {Object.entries(languageNames).map(([language, name]) => (
            <TextInput
              key={language}
              label={i18n._(name)}
              lang={language}
              dir="auto"
              maxLength={80}
              value={draft.names[language] ?? ''}
              onChange={(event) =>
                change({ names: { ...draft.names, [language]: event.currentTarget.value } })
              }
            />
          ))}
        </SimpleGrid>
        <Text size="sm" c="dimmed" mt="xs">
          {t`Vietnamese or English is needed. Members without a text in their language read Vietnamese, else English.`}
        </Text>
      </Fieldset>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TextInput
          label={t`HLS address`}
          description={t`The playlist: https, or a path that begins with /m/`}
          dir="ltr"
          maxLength={512}
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <PictureInput
          label={t`Picture`}
          value={draft.poster}
          onChange={(poster) => change({ poster })}
        />
        <TextInput
          label={t`Presenter`}
          maxLength={80}
          dir="auto"
          value={draft.host}
          onChange={(event) => change({ host: event.currentTarget.value })}
        />
        <TagsInput
          label={t`Games to play from it`}
          placeholder={t`Code of a game`}
          maxTags={maxGames}
          value={draft.games ?? []}
          onChange={(games) => change({ games })}
        />
        <DateTimeField
          label={t`Start`}
          value={draft.startsAt}
          onChange={(time) => change({ startsAt: time })}
        />
        <DateTimeField
          label={t`End`}
          value={draft.endsAt}
          onChange={(time) => change({ endsAt: time })}
        />
      </SimpleGrid>
      <Group>
        <Checkbox
          label={t`Members see it`}
          checked={draft.active}
          onChange={(event) => change({ active: event.currentTarget.checked })}
        />
        <Checkbox
          label={t`Members may write`}
          checked={draft.chat}
          onChange={(event) => change({ chat: event.currentTarget.checked })}
        />
        <Checkbox
          label={t`A recording that repeats`}
          checked={draft.recorded}
          onChange={(event) => change({ recorded: event.currentTarget.checked })}
        />
      </Group>
      {form.isOutdated && <NewerVersion onLoad={() => form.load(stream)} />}
      <ActionResult error={save.error} approval={save.approval} />
      <Group>
        <Button loading={save.isBusy} disabled={!isComplete} onClick={() => void send()}>
          {t`Save`}
        </Button>
      </Group>
    </Stack>
  );
}
