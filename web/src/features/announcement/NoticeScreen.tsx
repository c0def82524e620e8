import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Announcement } from '../../api/content.ts';
import { popularQuery } from '../../api/news.ts';
import { markRead, noticesQuery } from '../../api/notices.ts';
import { useSession } from '../../api/session.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { NoticeCard } from './NoticeCard.tsx';

import styles from './NoticeScreen.module.css';

const places = 6;

export default function NoticeScreen() {
  const { t } = useLingui();
  const session = useSession();
  const cache = useQueryClient();
  const language = useLanguage();
  const notices = useQuery(noticesQuery(language, session));
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  // Visitors have no read state, so nothing is unread for them.
  const list = notices.data ?? [];
  const unread = session ? list.filter((item) => !item.read) : [];
  const isNew = (item: Announcement) => unread.includes(item);
  const filters = filtersOf(list);
  const chosen = [...filters, newOnes, mostRead].includes(filter) ? filter : '';
  const popular = useQuery({ ...popularQuery(language), enabled: chosen === mostRead });
  const shown =
    chosen === mostRead
      ? (popular.data ?? []).flatMap(({ id }) => list.find((item) => item.id === id) ?? [])
      : list.filter(
          (item) =>
            chosen === '' ||
            (chosen === newOnes ? isNew(item) || item.id === open : item.tag === chosen),
        );
  // The query that the visible list needs.
  const lacking = notices.data && chosen === mostRead ? popular : notices;

  function read(ids: string[]): Promise<void> {
    return markRead(cache, ids);
  }

  function press(item: Announcement): void {
    setOpen(open === item.id ? null : item.id);
    // A failure needs no message: the notice becomes unread again.
    if (isNew(item)) read([item.id]).catch(() => {});
  }

  async function readAll(): Promise<void> {
    setReading(true);
    try {
      await read(unread.map(({ id }) => id));
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setReading(false);
    }
  }

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <Chips filters={filters} chosen={chosen} unread={unread.length} onChoose={setFilter} />
        {unread.length > 0 && (
          <Button variant="text" size="md" icon="checks" busy={reading} onPress={readAll}>
            {t`Read all`}
          </Button>
        )}
      </div>
      {lacking.data ? (
        shown.length > 0 ? (
          <ul className={styles.list}>
            {shown.map((item) => (
              <NoticeCard
                key={item.id}
                item={item}
                unread={isNew(item)}
                open={open === item.id}
                onPress={() => press(item)}
              />
            ))}
          </ul>
        ) : (
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="bell"
            title={t`No announcements`}
            text={chosen === newOnes ? t`You have read them all.` : t`News will stand here.`}
          />
        )
      ) : lacking.error ? (
        <ErrorRetry
          onRetry={lacking.refetch}
          detail={describeError(lacking.error)}
          answered={wasAnswered(lacking.error)}
        />
      ) : (
        <ul className={styles.list} aria-busy="true" aria-label={t`Loading`}>
          {Array.from({ length: places }, (_, i) => (
            <li key={i}>
              <Skeleton shape="box" height={98} className={styles.place} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Filters that are not tags. No tag starts with a NUL. */
const newOnes = '\u0000new';
const mostRead = '\u0000read';

const filtersOf = (list: readonly Announcement[]): string[] => [
  ...new Set(list.map(({ tag }) => tag).filter((tag) => tag !== '')),
];

type ChipsProps = {
  filters: readonly string[];
  chosen: string;
  unread: number;
  onChoose: (filter: string) => void;
};

function Chips({ filters, chosen, unread, onChoose }: ChipsProps) {
  const { t } = useLingui();
  const chip = (value: string, label: string, count = 0) => (
    <button
      key={value}
      type="button"
      aria-pressed={chosen === value}
      onClick={() => onChoose(value)}
      className={styles.chip}
    >
      {label}
      <Badge count={count} />
    </button>
  );
  return (
    <div role="group" aria-label={t`Which announcements`} className={styles.chips}>
      {chip('', t`All`)}
      {(unread > 0 || chosen === newOnes) && chip(newOnes, t`Unread`, unread)}
      {chip(mostRead, t`Read most`)}
      {filters.map((tag) => chip(tag, tag))}
    </div>
  );
}
