import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { feedbackQuery, type Feedback, type FeedbackCategory } from '../../api/feedback.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { artUrl } from '../../lib/art.ts';
import { formatTime } from '../../lib/dates.ts';
import { PagedList } from '../../ui/display/PagedList.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { FeedbackForm } from './FeedbackForm.tsx';
import { useCategories } from './useCategories.ts';

import styles from './FeedbackScreen.module.css';

/** The feedback form and the history with the answers. */
export default function FeedbackScreen() {
  const { t } = useLingui();
  const setting = useQuery(registerSettingQuery);
  const history = useInfiniteQuery(feedbackQuery);
  const categories = useCategories();
  return (
    <div className={styles.screen}>
      <QueryView query={setting} skeleton={<Skeleton shape="box" height={320} />}>
        {(served) => <FeedbackForm rules={served.rules['feedback'] ?? []} />}
      </QueryView>
      <h2 className={styles.heading}>{t`Your feedback`}</h2>
      <PagedList
        query={history}
        label={t`Your feedback`}
        rowsOf={rowsOf}
        keyOf={keyOf}
        skeleton={<Skeleton shape="box" height={96} />}
        empty={
          <Empty
            art={artUrl('spots/empty.webp')}
            icon="chat-text"
            title={t`Nothing sent yet`}
            text={t`Answers stand here and in your inbox.`}
          />
        }
        renderRow={(item) => <Entry item={item} names={categories} />}
      />
    </div>
  );
}

const rowsOf = ({ list }: { list: readonly Feedback[] }) => list;
const keyOf = ({ id }: Feedback) => id;

type EntryProps = { item: Feedback; names: Record<FeedbackCategory, string> };

function Entry({ item, names }: EntryProps) {
  const { t, i18n } = useLingui();
  return (
    <article className={styles.card}>
      <p className={styles.line}>
        <span className={styles.category}>{names[item.category]}</span>
        <time dateTime={new Date(item.createdAt).toISOString()} className={styles.when}>
          {formatTime(item.createdAt, i18n.locale)}
        </time>
      </p>
      <p dir="auto" className={styles.content}>
        {item.content}
      </p>
      {item.images > 0 && (
        <p className={styles.when}>
          {t`Pictures`}: {item.images}
        </p>
      )}
      {item.answer ? (
        <div className={styles.answer}>
          <p className={styles.category}>{t`Answer`}</p>
          <p dir="auto" className={styles.content}>
            {item.answer}
          </p>
          {item.answeredAt !== undefined && (
            <p className={styles.when}>{formatTime(item.answeredAt, i18n.locale)}</p>
          )}
        </div>
      ) : (
        <p className={styles.when}>{t`Waiting for an answer`}</p>
      )}
    </article>
  );
}
