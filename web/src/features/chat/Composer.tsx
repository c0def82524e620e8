import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';

import { endChat, sendTyping, type ChatSide, type ChatView } from '../../api/chat.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Link } from '../../lib/router.tsx';
import { uprightPicture } from '../../lib/upright-picture.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { storeDraft, useDraft } from './draft.ts';
import type { OutgoingQueue } from './outgoing-queue.ts';

import styles from './ChatScreen.module.css';

const typingEveryMs = 3_000;
export const maxText = 2000;

type ComposerProps = {
  side: ChatSide;
  chat: ChatView;
  isRunning: boolean;
  onSend: OutgoingQueue['send'];
};

/** The input for text and pictures. What was typed survives a reload. */
export function Composer({ side, chat, isRunning, onSend }: ComposerProps) {
  const { t } = useLingui();
  const text = useDraft();
  const [name, setName] = useState('');
  const typedAt = useRef(0);
  const file = useRef<HTMLInputElement>(null);
  const asksName = side === 'visitor' && chat.status === 'none';

  function type(next: string): void {
    storeDraft(next);
    if (chat.status !== 'open' || Date.now() - typedAt.current < typingEveryMs) return;
    typedAt.current = Date.now();
    // The operator only misses the hint.
    sendTyping(side).catch(() => {});
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    const said = text.trim();
    if (!said) return;
    onSend({ text: said, ...(asksName && name.trim() && { name: name.trim() }) });
    storeDraft('');
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  async function pick(chosen: File | undefined): Promise<void> {
    if (file.current) file.current.value = '';
    if (chosen) onSend({ text: '', file: await uprightPicture(chosen) });
  }

  return (
    <form className={styles.composer} onSubmit={submit}>
      {isRunning && <Chips side={side} />}
      {asksName && (
        <input
          className={styles.nameInput}
          aria-label={t`Your name`}
          placeholder={t`Your name`}
          autoComplete="name"
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <div className={styles.line}>
        <IconButton icon="image" label={t`Send a picture`} onPress={() => file.current?.click()} />
        <input
          ref={file}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hidden
          aria-label={t`Picture`}
          onChange={(event) => void pick(event.target.files?.[0])}
        />
        <textarea
          className={styles.input}
          aria-label={t`Message`}
          placeholder={t`Write a message…`}
          rows={1}
          dir="auto"
          maxLength={maxText}
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
        />
        <button type="submit" className={styles.send} disabled={!text.trim()} aria-label={t`Send`}>
          <Icon name="paper-plane-right-fill" size={22} />
        </button>
      </div>
    </form>
  );
}

function Chips({ side }: { side: ChatSide }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isEnding, setEnding] = useState(false);

  async function end(): Promise<void> {
    setEnding(true);
    try {
      await endChat(cache, side);
      setAsking(false);
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setEnding(false);
    }
  }

  return (
    <div className={styles.chips}>
      {side === 'member' && (
        <Link to="/m/member/transactions" className={styles.chip}>
          {t`Transactions`}
        </Link>
      )}
      <Link to="/m/help" className={styles.chip}>
        {t`Help center`}
      </Link>
      <button type="button" className={styles.chip} onClick={() => setAsking(true)}>
        {t`End chat`}
      </button>
      <Dialog
        alert
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t`End this chat?`}
        text={t`You can start a new chat at any time.`}
        actions={
          <>
            <Button variant="secondary" onPress={() => setAsking(false)}>
              {t`Keep chatting`}
            </Button>
            <Button variant="danger" busy={isEnding} onPress={() => void end()}>
              {t`End chat`}
            </Button>
          </>
        }
      />
    </div>
  );
}
