import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { announcementsQuery, noticesOf } from '../../api/content.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link, navigate } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { NoticeBar } from '../../ui/NoticeBar.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './HomeNotice.module.css';

/** The scrolling notices, with a link to an app guide on each side. */
export function HomeNotice() {
  const { t } = useLingui();
  const { data, error, isPending } = useQuery(announcementsQuery(useLanguage()));
  const items = noticesOf(data ?? []).map(({ id, title }) => ({ id, text: title }));

  return (
    <div className={styles.notice}>
      <Link to="/m/app?guide=android" className={styles.app} aria-label={t`App for Android`}>
        <span className={styles.face}>
          <Icon name="android-logo" size={18} />
        </span>
      </Link>
      {isPending ? (
        <Skeleton shape="box" height={36} className={styles.bar} />
      ) : (
        <NoticeBar
          items={items}
          href="/m/notice"
          emptyText={!data && error ? t`Load failed, please try again` : t`No announcements`}
          onPress={(event) => {
            event.preventDefault();
            navigate('/m/notice');
          }}
        />
      )}
      <Link to="/m/app?guide=ios" className={styles.app} aria-label={t`Add to home screen`}>
        <span className={styles.face}>
          <Icon name="download-simple-bold" size={18} />
        </span>
      </Link>
    </div>
  );
}
