import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Announcement } from '../../api/content.ts';
import { popularQuery } from '../../api/news.ts';
import { markRead, noticesQuery } from '../../api/notices.ts';
import { useSession } from '../../api/session.ts';
import { describeError } from '../../i18n/api-error.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { NoticeCard } from './NoticeCard.tsx';

import styles from './NoticeScreen.module.css';

const skeletonCount = 6;

export default function NoticeScreen() {
  const { t } = useLingui();
  const session = useSession();
  const cache = useQueryClient();
  const language = useLanguage();
  const notices = useQuery(noticesQuery(language, session));
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const [isMarkingAll, setIsMarkingAll] = useState(false);
  // Visitors have no read state, so nothing is unread for them.
  const list = notices.data ?? [];
  const unread = session ? list.filter((item) => !item.read) : [];
  const isUnread = (item: Announcement) => unread.includes(item);
  const tags = tagsOf(list);
  const chosen = [...tags, unreadFilter, popularFilter].includes(filter) ? filter : '';
  const popular = useQuery({ ...popularQuery(language), enabled: chosen === popularFilter });
  const visible =
    chosen === popularFilter
      ? (popular.data ?? []).flatMap(({ id }) => list.find((item) => item.id === id) ?? [])
      : list.filter(
          (item) =>
            chosen === '' ||
            (chosen === unreadFilter ? isUnread(item) || item.id === open : item.tag === chosen),
        );
  // The query that the visible list needs.
  const pending = notices.data && chosen === popularFilter ? popular : notices;

  function markAsRead(ids: string[]): Promise<void> {
    return markRead(cache, ids);
  }

  function toggle(item: Announcement): void {
    setOpen(open === item.id ? null : item.id);
    // A failure needs no message: the notice becomes unread again.
    if (isUnread(item)) markAsRead([item.id]).catch(() => {});
  }

  async function markAllRead(): Promise<void> {
    setIsMarkingAll(true);
    try {
      await markAsRead(unread.map(({ id }) => id));
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setIsMarkingAll(false);
    }
  }

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <Chips tags={tags} chosen={chosen} unread={unread.length} onChoose={setFilter} />
        {unread.length > 0 && (
          <Button variant="text" size="md" icon="checks" busy={isMarkingAll} onPress={markAllRead}>
            {t`Read all`}
          </Button>
        )}
      </div>
      <QueryView<unknown>
        query={pending}
        skeleton={
          <ul className={styles.list}>
            {Array.from({ length: skeletonCount }, (_, i) => (
              <li key={i}>
                <Skeleton shape="box" height={98} className={styles.skeleton} />
              </li>
            ))}
          </ul>
        }
        isEmpty={() => visible.length === 0}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="bell"
            title={t`No announcements`}
            text={chosen === unreadFilter ? t`You have read them all.` : t`News will stand here.`}
          />
        }
      >
        {() => (
          <ul className={styles.list}>
            {visible.map((item) => (
              <NoticeCard
                key={item.id}
                item={item}
                unread={isUnread(item)}
                open={open === item.id}
                onPress={() => toggle(item)}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}

/** Filters that are not tags. No tag starts with a NUL. */
const unreadFilter = '\u0000new';
const popularFilter = '\u0000read';

const tagsOf = (list: readonly Announcement[]): string[] => [
  ...new Set(list.map(({ tag }) => tag).filter((tag) => tag !== '')),
];

type ChipsProps = {
  tags: readonly string[];
  chosen: string;
  unread: number;
  onChoose: (filter: string) => void;
};

function Chips({ tags, chosen, unread, onChoose }: ChipsProps) {
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
      {(unread > 0 || chosen === unreadFilter) && chip(unreadFilter, t`Unread`, unread)}
      {chip(popularFilter, t`Read most`)}
      {tags.map((tag) => chip(tag, tag))}
    </div>
  );
}
