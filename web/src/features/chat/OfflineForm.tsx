import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';

import { newClientId, sendOffline, type ChatSide, type ChatView } from '../../api/chat.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { toast } from '../../ui/toastStore.ts';
import { maxText } from './Composer.tsx';

import styles from './ChatScreen.module.css';

type OfflineFormProps = { side: ChatSide; chat: ChatView };

/** A message outside opening hours. Visitors say how to reach them. */
export function OfflineForm({ side, chat }: OfflineFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [form, setForm] = useState({ text: '', contact: '', name: '' });
  const [isBusy, setBusy] = useState(false);
  const clientId = useRef(newClientId());
  const needsContact = side === 'visitor';
  const { opens, closes } = chat.hours;
  const isComplete = form.text.trim() !== '' && (!needsContact || form.contact.trim() !== '');

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete || isBusy) return;
    setBusy(true);
    try {
      await sendOffline(cache, side, clientId.current, form);
      clientId.current = newClientId();
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.offline} onSubmit={(event) => void submit(event)}>
      <p>
        {t`We are open from ${opens} to ${closes}. Leave a message and we answer when we open.`}
      </p>
      {needsContact && (
        <>
          <Field
            label={t`Your name`}
            maxLength={40}
            value={form.name}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
          />
          <Field
            label={t`Phone number or e-mail`}
            maxLength={120}
            value={form.contact}
            onChange={(event) => setForm({ ...form, contact: event.target.value })}
          />
        </>
      )}
      <TextArea
        label={t`Message`}
        max={maxText}
        rows={3}
        value={form.text}
        onChange={(event) => setForm({ ...form, text: event.target.value })}
      />
      <Button type="submit" full disabled={!isComplete} busy={isBusy}>
        {t`Send`}
      </Button>
    </form>
  );
}
