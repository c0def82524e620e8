import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { inboxMessageQuery, type InboxItem } from '../../api/inbox.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { formatRelative } from '../../lib/dates.ts';
import { Link, ownPath } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { SafeHtml } from '../../ui/display/SafeHtml.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './InboxScreen.module.css';

/** Pictures by the start of a message's kind. */
const artByKind: Readonly<Record<string, string>> = {
  deposit: 'bank',
  withdrawal: 'bank',
  identity: 'identity',
  reward: 'gift',
  limit: 'stopwatch',
  login: 'shield',
  contract: 'scroll',
  feedback: 'chat',
  notice: 'headset',
};

const artOf = (kind: string): string => artByKind[kind.split('.')[0] ?? ''] ?? 'mail';

type InboxCardProps = {
  item: InboxItem;
  open: boolean;
  onPress: () => void;
  onDelete: () => void;
};

export function InboxCard({ item, open, onPress, onDelete }: InboxCardProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  return (
    <article className={styles.card} data-read={item.read || undefined}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={onPress}
        className={styles.head}
      >
        <span className={styles.face}>
          <Picture src={artUrl(`icons/${artOf(item.kind)}.webp`)} size={26} lazy />
          {!item.read && <span className={styles.dot} />}
        </span>
        <span className={styles.words}>
          <span className={styles.line}>
            <span dir="auto" className={styles.title}>
              {item.title}
              {!item.read && <span className={styles.visuallyHidden}> ({t`Unread`})</span>}
            </span>
            <time dateTime={new Date(item.createdAt).toISOString()} className={styles.when}>
              {formatRelative(item.createdAt, language)}
            </time>
          </span>
          {!open && (
            <span dir="auto" className={styles.text}>
              {item.preview}
            </span>
          )}
        </span>
      </button>
      <div id={id} hidden={!open} className={styles.body}>
        {open && <Body item={item} onDelete={onDelete} />}
      </div>
    </article>
  );
}

function Body({ item, onDelete }: Pick<InboxCardProps, 'item' | 'onDelete'>) {
  const { t } = useLingui();
  const query = useQuery(inboxMessageQuery(useLanguage(), item.id));
  return (
    <QueryView query={query} skeleton={<Skeleton width="100%" height={48} />}>
      {({ text, html, link }) => {
        const path = link ? ownPath(link) : null;
        return (
          <>
            {html ? (
              <SafeHtml html={html} />
            ) : (
              <p dir="auto" className={styles.plain}>
                {text}
              </p>
            )}
            <div className={styles.actions}>
              <Button variant="text" size="md" onPress={onDelete}>
                {t`Delete`}
              </Button>
              {path && (
                <Link to={path} className={buttonClass({ variant: 'secondary', size: 'md' })}>
                  {t`See more`}
                </Link>
              )}
            </div>
          </>
        );
      }}
    </QueryView>
  );
}
