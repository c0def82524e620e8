import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';

import { newClientId } from '../../api/chat.ts';
import {
  sendStreamMessage,
  streamMessagesQuery,
  type LiveStream,
  type StreamMessage,
} from '../../api/live-streams.ts';
import { goWithSession } from '../../api/require-login.ts';
import { isRealAccount, useSession } from '../../api/session.ts';
import { describeError, wasRefused } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { cx } from '../../lib/cx.ts';
import { MessageList } from '../../ui/display/MessageList.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { useNow } from '../../ui/display/useNow.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { changeStreamDraft, streamDraft, useStreamDraft } from './drafts.ts';
import { formatTime } from './times.ts';

import styles from './StreamScreen.module.css';

const maxText = 200;

/** The chat next to a stream. Visitors and trial members only read. */
export function StreamChat({ stream }: { stream: LiveStream }) {
  const query = useQuery(streamMessagesQuery(stream.id));
  return (
    <>
      <QueryView
        query={query}
        className={styles.history}
        skeleton={<Skeleton shape="box" height={72} className={styles.block} />}
      >
        {(messages) => <Messages list={messages} />}
      </QueryView>
      <Writing stream={stream} />
    </>
  );
}

function Messages({ list }: { list: readonly StreamMessage[] }) {
  const { t } = useLingui();
  return (
    <MessageList
      label={t`Messages`}
      className={styles.scroll}
      listClass={styles.messages}
      newest={list.at(-1)?.seq ?? 0}
      before={
        <p className={styles.note}>
          <Icon name="info" size={16} />
          {t`Be kind. Messages are moderated. Nobody here may ask you for money.`}
        </p>
      }
      after={list.length === 0 && <p className={styles.quiet}>{t`Nobody has written yet.`}</p>}
    >
      {list.map(({ seq, name, text, mine, operator }) => (
        <li key={seq} className={cx(mine && styles.mine, operator && styles.house)}>
          <bdi className={styles.author}>{operator ? t`Moderator` : mine ? t`You` : name}</bdi>{' '}
          <bdi>{text}</bdi>
        </li>
      ))}
    </MessageList>
  );
}

/** The input, or why the reader cannot write. */
function Writing({ stream }: { stream: LiveStream }) {
  const { t } = useLingui();
  const session = useSession();
  const language = useLanguage();
  const now = useNow();
  if (!stream.chat) {
    return <p className={styles.closed}>{t`The chat is closed now.`}</p>;
  }
  if (!session) {
    return (
      <p className={styles.closed}>
        <button
          type="button"
          className={styles.login}
          onClick={() => goWithSession(`/m/liveStream?id=${stream.id}`)}
        >
          {t`Log in to write`}
        </button>
      </p>
    );
  }
  if (!isRealAccount(session)) {
    return <p className={styles.closed}>{t`Trial accounts only read this chat.`}</p>;
  }
  if (stream.mutedUntil > now) {
    const end = formatTime(stream.mutedUntil, language);
    return (
      <p className={styles.closed}>{t`A message broke the rules. Write again from ${end}.`}</p>
    );
  }
  return <Composer id={stream.id} draftKey={`${stream.id} ${session.userName}`} />;
}

type ComposerProps = { id: string; draftKey: string };

function Composer({ id, draftKey }: ComposerProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { text, isSending } = useStreamDraft(draftKey);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const said = text.trim();
    if (!said || isSending) return;
    const previous = streamDraft(draftKey).unconfirmed;
    const message = previous?.text === said ? previous : { clientId: newClientId(), text: said };
    changeStreamDraft(draftKey, { isSending: true, unconfirmed: message });
    try {
      await sendStreamMessage(cache, id, message);
      changeStreamDraft(draftKey, { unconfirmed: null });
      if (streamDraft(draftKey).text === text) changeStreamDraft(draftKey, { text: '' });
    } catch (failure) {
      if (wasRefused(failure)) changeStreamDraft(draftKey, { unconfirmed: null });
      toast.error(describeError(failure));
    } finally {
      changeStreamDraft(draftKey, { isSending: false });
    }
  }

  return (
    <form className={styles.composer} onSubmit={(event) => void submit(event)}>
      <input
        className={styles.input}
        aria-label={t`Message`}
        placeholder={t`Write a message…`}
        dir="auto"
        maxLength={maxText}
        autoComplete="off"
        value={text}
        onChange={(event) => changeStreamDraft(draftKey, { text: event.target.value })}
      />
      <button
        type="submit"
        className={styles.send}
        disabled={!text.trim() || isSending}
        aria-label={t`Send`}
      >
        <Icon name="paper-plane-right-fill" size={22} />
      </button>
    </form>
  );
}
