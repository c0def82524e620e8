import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';

import {
  newClientId,
  refreshChat,
  sendOffline,
  type ChatSide,
  type ChatView,
} from '../../api/chat.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { toast } from '../../ui/toastStore.ts';
import { maxText } from './Composer.tsx';
import { readDraft, storeDraft, useDraft } from './draft.ts';

import styles from './ChatScreen.module.css';

type OfflineFormProps = { side: ChatSide; chat: ChatView };

/** A message outside opening hours. Visitors say how to reach them. */
export function OfflineForm({ side, chat }: OfflineFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const text = useDraft();
  const [sender, setSender] = useState({ contact: '', name: '' });
  const [isBusy, setBusy] = useState(false);
  // The form that got no response. Sent again unchanged, it keeps its id, so that the server stores it once.
  const unconfirmed = useRef<{ clientId: string; content: string } | null>(null);
  const needsContact = side === 'visitor';
  const { opens, closes } = chat.hours;
  const isComplete = text.trim() !== '' && (!needsContact || sender.contact.trim() !== '');

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete || isBusy) return;
    setBusy(true);
    try {
      const form = { text, ...sender };
      const content = JSON.stringify(form);
      if (unconfirmed.current?.content !== content)
        unconfirmed.current = { clientId: newClientId(), content };
      await sendOffline(side, unconfirmed.current.clientId, form);
      unconfirmed.current = null;
      if (readDraft() === text) storeDraft('');
      await refreshChat(cache, side);
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
            value={sender.name}
            onChange={(event) => setSender({ ...sender, name: event.target.value })}
          />
          <Field
            label={t`Phone number or e-mail`}
            maxLength={120}
            value={sender.contact}
            onChange={(event) => setSender({ ...sender, contact: event.target.value })}
          />
        </>
      )}
      <TextArea
        label={t`Message`}
        max={maxText}
        rows={3}
        value={text}
        onChange={(event) => storeDraft(event.target.value)}
      />
      <Button type="submit" full disabled={!isComplete} busy={isBusy}>
        {t`Send`}
      </Button>
    </form>
  );
}
