import { useLingui } from '@lingui/react/macro';
import {
  Badge,
  Button,
  Checkbox,
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { ActionButton } from '../../../action/ActionButton.tsx';
import { ActionResult } from '../../../action/ActionResult.tsx';
import { useAction } from '../../../action/useAction.ts';
import { DateTimeField } from '../../../object/DateTimeField.tsx';
import { NewerVersion } from '../../../object/NewerVersion.tsx';
import { useDraft } from '../../../object/useDraft.ts';
import {
  blankText,
  editedLanguages,
  entryBody,
  entryDraft,
  languageNames,
  statusLabels,
  type EditedLanguage,
  type Entry,
  type EntryDraft,
  type EntryField,
  type EntryKind,
  type EntryText,
} from './entry.ts';
import { PhonePreview } from './PhonePreview.tsx';
import { PictureInput } from './PictureInput.tsx';
import { TopicInput } from './TopicInput.tsx';

type EntryEditorProps = { kind: EntryKind; entry: Entry };

/** Edits an entry in four languages side by side, with a preview of one of them. */
export function EntryEditor({ kind, entry }: EntryEditorProps) {
  const { t, i18n } = useLingui();
  const [, navigate] = useLocation();
  const form = useDraft(entry, entryDraft);
  const { draft, change } = form;
  const [previewLanguage, setPreviewLanguage] = useState<EditedLanguage>('vi');
  const isNew = entry.id === '';
  const path = `/ops/v1/${kind.name}${isNew ? '' : `/${entry.id}`}`;
  const save = useAction<Entry>({ path, method: isNew ? 'POST' : 'PUT' });

  const changeText = (language: EditedLanguage, part: Partial<EntryText>) =>
    change({
      texts: { ...draft.texts, [language]: { ...(draft.texts[language] ?? blankText), ...part } },
    });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const saved = await save.run(entryBody(draft, form.base.version));
    if (!saved) return;
    form.load(saved);
    notifications.show({ color: 'green', message: t`Saved` });
    if (isNew) navigate(`/${kind.name}/${saved.id}`);
  }

  const previewText = draft.texts[previewLanguage];
  const fallback = draft.texts.vi?.title ? draft.texts.vi : (draft.texts.en ?? blankText);
  const preview = previewText?.title ? previewText : fallback;
  const status = statusLabels[entry.status];
  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <Group justify="space-between">
          <Group>
            <Title order={1} size="h3">
              {entry.title || i18n._(kind.newLabel)}
            </Title>
            {status && <Badge>{i18n._(status)}</Badge>}
          </Group>
          <Group>
            {!isNew && (
              <EntryActions kind={kind} entry={entry} onDeleted={() => navigate(`/${kind.name}`)} />
            )}
            <Button
              type="submit"
              loading={save.isBusy}
              disabled={Number.isNaN(draft.startsAt + draft.endsAt)}
            >
              {t`Save`}
            </Button>
          </Group>
        </Group>
        {form.isOutdated && <NewerVersion onLoad={() => form.load(entry)} />}
        <ActionResult error={save.error} approval={save.approval} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          {isNew && (
            <TextInput
              label={t`Code (optional)`}
              maxLength={48}
              value={draft.code}
              onChange={(event) => change({ code: event.currentTarget.value })}
            />
          )}
          {kind.shared.map((field) => (
            <SharedInput key={field.name} field={field} entry={draft} onChange={change} />
          ))}
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
          <Checkbox
            mt="lg"
            label={t`Published`}
            checked={draft.published}
            onChange={(event) => change({ published: event.currentTarget.checked })}
          />
        </SimpleGrid>
        <Group align="start" wrap="wrap-reverse">
          <SimpleGrid cols={{ base: 1, md: 2 }} flex={1} miw={280}>
            {editedLanguages.map((language) => (
              <TextInputs
                key={language}
                language={language}
                fields={kind.texts}
                text={draft.texts[language] ?? blankText}
                onChange={(part) => changeText(language, part)}
                onFocus={() => setPreviewLanguage(language)}
              />
            ))}
          </SimpleGrid>
          <Stack w={320} maw="100%">
            <SegmentedControl
              aria-label={t`Language of the preview`}
              value={previewLanguage}
              data={editedLanguages.map((value) => ({ value, label: value.toUpperCase() }))}
              onChange={(value) => setPreviewLanguage(value)}
            />
            <PhonePreview
              language={previewLanguage}
              title={preview.title}
              content={preview.content}
              image={preview.image || draft.image}
              tag={preview.tag}
              action={preview.action}
            />
          </Stack>
        </Group>
      </Stack>
    </form>
  );
}

type TextInputsProps = {
  language: EditedLanguage;
  fields: readonly EntryField[];
  text: EntryText;
  onChange: (part: Partial<EntryText>) => void;
  onFocus: () => void;
};

function TextInputs({ language, fields, text, onChange, onFocus }: TextInputsProps) {
  const { i18n } = useLingui();
  const direction = language === 'ur' ? 'rtl' : 'ltr';
  const name = languageNames[language];
  return (
    <Stack component="fieldset" gap="xs" m={0} p="sm" onFocus={onFocus}>
      <legend lang={language}>{name}</legend>
      {fields.map((field) => {
        const key = field.name as keyof EntryText;
        const label = `${i18n._(field.label)} (${language})`;
        if (field.kind === 'picture')
          return (
            <PictureInput
              key={key}
              label={label}
              value={text[key]}
              onChange={(value) => onChange({ [key]: value })}
            />
          );
        const input = {
          label,
          lang: language,
          dir: direction,
          value: text[key],
          onChange: (event: { currentTarget: { value: string } }) =>
            onChange({ [key]: event.currentTarget.value }),
        };
        return field.kind === 'html' ? (
          <Textarea key={key} rows={10} resize="vertical" spellCheck {...input} />
        ) : (
          <TextInput key={key} {...input} />
        );
      })}
    </Stack>
  );
}

type SharedInputProps = {
  field: EntryField;
  entry: EntryDraft;
  onChange: (part: Partial<EntryDraft>) => void;
};

function SharedInput({ field, entry, onChange }: SharedInputProps) {
  const { i18n } = useLingui();
  const label = i18n._(field.label);
  const key = field.name as 'url' | 'image' | 'group' | 'execution' | 'agents';
  if (key === 'agents' || field.kind === 'check')
    return (
      <Checkbox
        mt="lg"
        label={label}
        checked={entry.agents}
        onChange={(event) => onChange({ agents: event.currentTarget.checked })}
      />
    );
  if (field.kind === 'topic')
    return (
      <TopicInput
        label={label}
        code={entry.code}
        value={entry.parent}
        onChange={(parent) => onChange({ parent })}
      />
    );
  if (field.kind === 'picture')
    return (
      <PictureInput
        label={label}
        value={entry[key]}
        onChange={(value) => onChange({ [key]: value })}
      />
    );
  if (field.kind === 'choice')
    return (
      <Select
        label={label}
        allowDeselect={false}
        value={entry[key]}
        data={(field.options ?? []).map((option) => ({
          value: option.value,
          label: i18n._(option.label),
        }))}
        onChange={(value) => onChange({ [key]: value ?? '' })}
      />
    );
  return (
    <TextInput
      label={label}
      value={entry[key]}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
    />
  );
}

type EntryActionsProps = EntryEditorProps & { onDeleted: () => void };

function EntryActions({ kind, entry, onDeleted }: EntryActionsProps) {
  const { t } = useLingui();
  const path = `/ops/v1/${kind.name}/${entry.id}`;
  const body = { version: entry.version };
  return (
    <>
      <ActionButton
        label={entry.published ? t`Unpublish` : t`Publish`}
        permission={kind.permission}
        path={`${path}/${entry.published ? 'unpublish' : 'publish'}`}
        body={body}
        reason="optional"
        change={[
          {
            label: t`Status`,
            before: entry.published ? t`Published` : t`Draft`,
            after: entry.published ? t`Draft` : t`Published`,
          },
        ]}
      />
      <ActionButton
        label={t`Delete`}
        color="red"
        permission={kind.permission}
        path={`${path}/delete`}
        body={body}
        reason="optional"
        change={t`This deletes “${entry.title}” in all languages for good. Members no longer see it.`}
        onDone={onDeleted}
      />
    </>
  );
}
