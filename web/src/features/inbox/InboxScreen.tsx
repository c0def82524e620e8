import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import {
  deleteInboxMessage,
  deleteReadInbox,
  inboxQuery,
  inboxUnreadQuery,
  markAllInboxRead,
  markInboxRead,
  withItem,
  type InboxItem,
} from '../../api/inbox.ts';
import { describeError } from '../../i18n/api-error.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { startOfDay } from '../../lib/dates.ts';
import { BarActions } from '../../ui/BarActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Chips } from '../../ui/display/Chips.tsx';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ConsentCard } from './ConsentCard.tsx';
import { InboxCard } from './InboxCard.tsx';

import styles from './InboxScreen.module.css';

type Filter = 'all' | 'unread';

export default function InboxScreen() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const [filter, setFilter] = useState<Filter>('all');
  const [open, setOpen] = useState<(InboxItem & { language: Language }) | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const query = useInfiniteQuery({
    ...inboxQuery(language, filter === 'unread'),
    // An opened message stays in the list of the unread while it is read, unless its texts are those of another language.
    select: (data) =>
      filter === 'unread' && open?.language === language ? withItem(data, open) : data,
  });
  const { data: unread = 0 } = useQuery(inboxUnreadQuery);
  const rows = query.data?.pages.flatMap(({ list }) => list) ?? [];
  const [today] = useState(() => startOfDay(Date.now()));
  const firstToday = rows.find(({ createdAt }) => createdAt >= today)?.id;
  const firstEarlier = rows.find(({ createdAt }) => createdAt < today)?.id;
  const hasRead = rows.some(({ read }) => read);

  /** Ignores a change while another runs, so that a double tap sends it once. */
  async function run(change: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await change();
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setIsBusy(false);
    }
  }

  function toggle(item: InboxItem): void {
    setOpen(open?.id === item.id ? null : { ...item, read: true, language });
    // A failure needs no message: the message stays unread.
    if (!item.read) markInboxRead(cache, item.id).catch(() => {});
  }

  function remove(item: InboxItem): void {
    void run(async () => {
      await deleteInboxMessage(cache, item.id);
      setOpen(null);
      toast.success(t`Message deleted`);
    });
  }

  return (
    <div className={styles.screen}>
      {unread > 0 && (
        <BarActions>
          <IconButton
            icon="checks"
            label={t`Read all`}
            onPress={() => void run(() => markAllInboxRead(cache))}
          />
        </BarActions>
      )}
      <div className={styles.tools}>
        <Chips<Filter>
          label={t`Which messages`}
          options={[
            { value: 'all', label: t`All` },
            { value: 'unread', label: unread > 0 ? t`Unread (${unread})` : t`Unread` },
          ]}
          value={filter}
          onChange={(chosen) => {
            setOpen(null);
            setFilter(chosen);
          }}
        />
        {hasRead && (
          <Button variant="text" size="md" onPress={() => setIsAsking(true)}>
            {t`Delete read`}
          </Button>
        )}
      </div>
      <ConsentCard />
      <PagedList
        query={query}
        label={t`Inbox`}
        rowsOf={rowsOf}
        keyOf={keyOf}
        skeleton={<Skeleton shape="box" height={84} />}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="envelope-simple"
            title={t`No messages`}
            text={
              filter === 'unread'
                ? t`You have read them all.`
                : t`Messages about your account come here.`
            }
          />
        }
        renderRow={(item) => (
          <>
            {item.id === firstToday && <h2 className={styles.group}>{t`Today`}</h2>}
            {item.id === firstEarlier && <h2 className={styles.group}>{t`Earlier`}</h2>}
            <InboxCard
              item={item}
              open={open?.id === item.id}
              onPress={() => toggle(item)}
              onDelete={() => remove(item)}
            />
          </>
        )}
      />
      <Dialog
        alert
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Delete all read messages?`}
        text={t`Unread messages stay.`}
        actions={
          <>
            <Button
              variant="danger"
              busy={isBusy}
              onPress={() =>
                void run(async () => {
                  setOpen(null);
                  await deleteReadInbox(cache);
                  setIsAsking(false);
                })
              }
            >
              {t`Delete`}
            </Button>
            <Button variant="text" size="md" onPress={() => setIsAsking(false)}>
              {t`Cancel`}
            </Button>
          </>
        }
      />
    </div>
  );
}

const rowsOf = ({ list }: { list: readonly InboxItem[] }) => list;
const keyOf = ({ id }: InboxItem) => id;
