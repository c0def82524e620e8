import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { outboxQuery, type Letter } from '../../api/outbox.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { copyText } from '../../lib/clipboard.ts';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './OutboxScreen.module.css';

/** Messages that demo mode did not send, for developers. */
export default function OutboxScreen() {
  const { t } = useLingui();
  const query = useQuery(outboxQuery);
  const { data: letters, isFetching, refetch } = query;

  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <p className={styles.lead}>
          {t`What a demo would have sent, newest first. The list refreshes every 3 seconds.`}
        </p>
        <Button
          variant="secondary"
          size="sm"
          icon="arrow-clockwise"
          busy={isFetching && letters === undefined}
          onPress={() => void refetch()}
        >
          {t`Refresh`}
        </Button>
      </div>
      <QueryView
        query={query}
        skeleton={
          <div className={styles.list}>
            {[0, 1, 2].map((i) => (
              <Skeleton key={i} shape="box" height={132} />
            ))}
          </div>
        }
        isEmpty={({ length }) => length === 0}
        empty={
          <Empty
            icon="chat-circle-dots"
            title={t`No messages yet`}
            text={t`A code that you ask for comes here.`}
          />
        }
      >
        {(list) => (
          <ul className={styles.list}>
            {list.map((letter) => (
              <LetterCard key={letter.id} letter={letter} />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}

function LetterCard({ letter }: { letter: Letter }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { channel, to, kind, state, subject, text, createdAt } = letter;
  const time = new Date(createdAt);
  const code = /\b\d{6}\b/.exec(text)?.[0];

  async function copy(value: string): Promise<void> {
    if (await copyText(value)) toast.success(t`Copied`);
    else toast.error(t`It cannot be copied here`);
  }

  return (
    <li className={styles.letter}>
      <div className={styles.about}>
        <span className={styles.channel}>{channel === 'sms' ? t`Text message` : t`E-mail`}</span>
        <bdi dir="ltr" className={styles.to}>
          {to}
        </bdi>
        <time dateTime={time.toISOString()} className={styles.time}>
          {time.toLocaleTimeString(language, { numberingSystem: 'latn' })}
        </time>
      </div>
      <p className={styles.kind}>
        <bdi dir="ltr">
          {kind} · {state}
        </bdi>
      </p>
      {subject && <p className={styles.subject}>{subject}</p>}
      <p className={styles.text} dir="auto">
        {text}
      </p>
      {code && (
        <Button variant="outline" size="sm" icon="copy" onPress={() => void copy(code)}>
          <Trans>
            Copy{' '}
            <bdi dir="ltr" className={styles.code}>
              {code}
            </bdi>
          </Trans>
        </Button>
      )}
    </li>
  );
}
