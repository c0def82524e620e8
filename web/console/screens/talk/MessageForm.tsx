import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DateTimeField } from '../../object/DateTimeField.tsx';
import { describeError } from '../../server/errors.ts';
import { request } from '../../server/request.ts';
import {
  audiences,
  languageNames,
  type Message,
  type MessageText,
  type Segment,
} from './MessageTypes.ts';

const dayMs = 86_400_000;
const memberTypes = { '0': msg`Player`, '1': msg`Agent`, '2': msg`Head agent` };

type Audience = { audience: string; member?: string; segment?: Segment; promotional: boolean };

/** Writes a message, shows how many members it reaches, and sends it. */
export function MessageForm({ onSent }: { onSent: (message: Message) => void }) {
  const { t, i18n } = useLingui();
  const [audience, setAudience] = useState('member');
  const [member, setMember] = useState('');
  const [segment, setSegment] = useState<Segment>({});
  const [promotional, setPromotional] = useState(false);
  const [link, setLink] = useState('');
  const [startsAt, setStartsAt] = useState(0);
  const [endsAt, setEndsAt] = useState(0);
  const [texts, setTexts] = useState<Record<string, MessageText>>({});

  const recipients: Audience = {
    audience,
    promotional,
    ...(audience === 'member' && { member }),
    ...(audience === 'segment' && { segment }),
  };
  const textOf = (language: string): MessageText => texts[language] ?? { title: '', body: '' };
  const write = (language: string, part: Partial<MessageText>) =>
    setTexts({ ...texts, [language]: { ...textOf(language), ...part } });
  const filledTexts = Object.fromEntries(
    Object.entries(texts).filter(([, { title, body }]) => title.trim() || body.trim()),
  );
  const isComplete =
    (filledTexts['vi'] !== undefined || filledTexts['en'] !== undefined) &&
    (audience !== 'member' || member.trim() !== '') &&
    !Number.isNaN(startsAt + endsAt);

  return (
    <Stack>
      <Group align="end">
        <Select
          label={t`Recipients`}
          value={audience}
          onChange={(value) => setAudience(value ?? 'member')}
          data={Object.entries(audiences).map(([value, label]) => ({
            value,
            label: i18n._(label),
          }))}
          allowDeselect={false}
        />
        {audience === 'member' && (
          <TextInput
            label={t`Username`}
            value={member}
            onChange={(event) => setMember(event.currentTarget.value)}
          />
        )}
      </Group>
      {audience === 'segment' && <SegmentFields segment={segment} onChange={setSegment} />}
      <Switch
        label={t`Promotional: only to members who agreed and are not on a break`}
        checked={promotional}
        onChange={(event) => setPromotional(event.currentTarget.checked)}
      />
      <TextInput
        label={t`Link`}
        description={t`A path of the app, such as /m/activity`}
        value={link}
        onChange={(event) => setLink(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <DateTimeField
          label={t`Start`}
          description={t`Empty: the message is sent at once. Otherwise consent and breaks are checked at the start.`}
          value={startsAt}
          onChange={(time) => setStartsAt(time)}
        />
        <DateTimeField
          label={t`End`}
          description={t`Empty: members keep the message until they delete it.`}
          value={endsAt}
          onChange={(time) => setEndsAt(time)}
        />
        {Object.entries(languageNames).map(([language, name]) => (
          <Fieldset key={language} legend={i18n._(name)}>
            <TextInput
              label={t`Title`}
              maxLength={120}
              dir="auto"
              value={textOf(language).title}
              onChange={(event) => write(language, { title: event.currentTarget.value })}
            />
            <Textarea
              label={t`Text (HTML)`}
              rows={4}
              dir="auto"
              value={textOf(language).body}
              onChange={(event) => write(language, { body: event.currentTarget.value })}
            />
          </Fieldset>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t`Vietnamese or English is needed. Members without a text in their language read Vietnamese, else English.`}
      </Text>
      <Group justify="end">
        <ActionButton<Message>
          label={t`Send`}
          variant="filled"
          permission="message.send"
          path="/ops/v1/messages"
          body={{
            ...recipients,
            texts: filledTexts,
            ...(link.trim() && { link: link.trim() }),
            ...(startsAt && { startsAt }),
            ...(endsAt && { endsAt }),
          }}
          reason="optional"
          isDisabled={!isComplete}
          change={
            <>
              <RecipientCount recipients={recipients} />
              <Text>{startsAt ? t`Start: ${formatTime(startsAt)}` : t`Start: at once`}</Text>
              {endsAt > 0 && <Text>{t`End: ${formatTime(endsAt)}`}</Text>}
            </>
          }
          onDone={onSent}
        />
      </Group>
    </Stack>
  );
}

/** How many members the message reaches now. */
function RecipientCount({ recipients }: { recipients: Audience }) {
  const { t } = useLingui();
  const { data, error } = useQuery({
    queryKey: ['message-preview', recipients],
    queryFn: () =>
      request<{ members: number }>('POST', '/ops/v1/messages/preview', { body: recipients }),
    retry: false,
    staleTime: 0,
  });
  if (error) return <Alert color="red">{describeError(error)}</Alert>;
  const members = data?.members;
  return (
    <Text role="status">
      {members === undefined ? t`Counting…` : t`Members who will get it: ${members}`}
    </Text>
  );
}

const toNumber = (value: string | number) => (value === '' ? undefined : Number(value));

type SegmentFieldsProps = { segment: Segment; onChange: (segment: Segment) => void };

function SegmentFields({ segment, onChange }: SegmentFieldsProps) {
  const { t, i18n } = useLingui();
  /** Sets a field, or removes it if it is empty. */
  const set = (name: keyof Segment, value: string | number | undefined) => {
    const { [name]: _, ...rest } = segment;
    onChange(value === undefined || value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <Fieldset legend={t`Segment`}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Select
          label={t`Type`}
          clearable
          value={segment.type === undefined ? null : String(segment.type)}
          onChange={(value) => set('type', value === null ? undefined : Number(value))}
          data={Object.entries(memberTypes).map(([value, label]) => ({
            value,
            label: i18n._(label),
          }))}
        />
        <TextInput
          label={t`VIP level`}
          value={segment.vip ?? ''}
          onChange={(event) => set('vip', event.currentTarget.value)}
        />
        <Select
          label={t`Language`}
          clearable
          value={segment.language ?? null}
          onChange={(value) => set('language', value ?? undefined)}
          data={Object.entries(languageNames).map(([value, label]) => ({
            value,
            label: i18n._(label),
          }))}
        />
        <NumberInput
          label={t`Logged in within days`}
          min={1}
          onChange={(days) => set('seenSince', toNumber(days) && Date.now() - Number(days) * dayMs)}
        />
        <NumberInput
          label={t`Not logged in for days`}
          min={1}
          onChange={(days) =>
            set('seenBefore', toNumber(days) && Date.now() - Number(days) * dayMs)
          }
        />
        <NumberInput
          label={t`Deposits from`}
          min={0}
          onChange={(amount) => set('depositMin', toNumber(amount))}
        />
        <NumberInput
          label={t`Deposits up to`}
          min={0}
          onChange={(amount) => set('depositMax', toNumber(amount))}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
