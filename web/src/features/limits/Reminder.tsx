import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { limitsQuery, setRealityCheck, type Limits } from '../../api/limits.ts';
import { describeError } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './card.module.css';

export function Reminder({ check }: { check: Limits['realityCheck'] }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const set = useMutation({
    mutationFn: setRealityCheck,
    onMutate: (minutes) => {
      const before = cache.getQueryData(limitsQuery.queryKey);
      cache.setQueryData(
        limitsQuery.queryKey,
        (limits) => limits && { ...limits, realityCheck: { ...limits.realityCheck, minutes } },
      );
      return before;
    },
    onError: (thrown, _, before) => {
      cache.setQueryData(limitsQuery.queryKey, before);
      toast.error(describeError(thrown));
    },
    onSettled: () => cache.invalidateQueries({ queryKey: limitsQuery.queryKey }),
  });
  return (
    <article
      id="limits-reminder"
      tabIndex={-1}
      className={styles.card}
      aria-label={t`Reality check`}
    >
      <div className={styles.head}>
        <span className={cx(styles.mark, styles.bellMark)}>
          <Icon name="bell-ringing-fill" />
        </span>
        <div className={styles.words}>
          <h3 className={styles.name}>{t`Reality check`}</h3>
          <p className={styles.sub}>
            {t`Play stops and shows how long ago you began and your net result. It goes on when you say so.`}
          </p>
        </div>
      </div>
      <Segmented
        label={t`Reality check`}
        size="sm"
        value={String(check.minutes ?? 0)}
        onChange={(minutes) => set.mutate(minutes === '0' ? null : Number(minutes))}
        options={[
          { value: '0', label: t`Off` },
          ...check.choices.map((minutes) => ({
            value: String(minutes),
            label: t`${minutes} min`,
          })),
        ]}
      />
    </article>
  );
}
