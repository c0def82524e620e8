import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { claimsQuery } from '../../api/install.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { formatNumber } from '../../lib/money.ts';
import { AutoScroll } from '../../ui/display/AutoScroll.tsx';
import { Figure, CaptionedStats } from '../../ui/display/CaptionedStats.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './ClaimedList.module.css';

/** The time for a row scrolls about 40 pixels a second. */
const visibleRows = 3;
const rowMs = 950;

/** Members who claimed the install bonus. Simulated names are marked as such. */
export function ClaimedList() {
  const { t } = useLingui();
  const language = useLanguage();
  const claims = useQuery(claimsQuery);
  if (claims.data?.list.length === 0) return null;
  return (
    <QueryView
      query={claims}
      skeleton={
        <div className={styles.card}>
          <Skeleton shape="box" height={180} />
        </div>
      }
    >
      {({ list, simulated }) => (
        <CaptionedStats
          title={t`Bonuses for installing`}
          simulated={simulated}
          lead={simulated && t`Made up at random: these are not real players.`}
          className={styles.card}
        >
          <AutoScroll
            label={t`Bonuses for installing`}
            count={list.length}
            visibleRows={visibleRows}
            rowMs={rowMs}
            className={styles.rows}
          >
            {list.map(({ key, name, points }) => {
              const amount = formatNumber(points, { pattern: '#,##0', language });
              return (
                <li key={key} className={styles.row}>
                  <bdi dir="ltr" className={styles.face} aria-hidden="true">
                    {name[0]}
                  </bdi>
                  <span className={styles.name}>
                    <bdi dir="ltr">{name}</bdi>
                  </span>
                  <Figure className={styles.points}>{t`${amount} points`}</Figure>
                  <span className={styles.done}>
                    <Icon name="check-bold" size={14} />
                    {t`Claimed`}
                  </span>
                </li>
              );
            })}
          </AutoScroll>
        </CaptionedStats>
      )}
    </QueryView>
  );
}
