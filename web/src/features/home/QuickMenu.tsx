import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { switchesQuery } from '../../api/system.ts';
import { artUrl } from '../../lib/art.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { hot } from './categories.ts';

import styles from './QuickMenu.module.css';

/** The shortcuts under the banner. Cash back is there only where the merchant pays it. */
export function QuickMenu() {
  const { t } = useLingui();
  const { data: switches } = useQuery(switchesQuery);
  const items = [
    { to: `${homePath}?category=${hot}`, art: 'fire', label: t`Hot games` },
    switches?.flag('MANPLAYREB3') && {
      to: '/m/member/manualRebate',
      art: 'money-wings',
      label: t`Cash back`,
    },
    { to: '/m/withdraw', art: 'bank', label: t`Withdraw` },
    { to: '/m/rewardCenter', art: 'gift', label: t`Rewards` },
  ].filter((item) => !!item);

  return (
    <nav aria-label={t`Shortcuts`}>
      <ul className={styles.menu}>
        {items.map((item) => (
          <li key={item.art}>
            <Link to={item.to} className={styles.item}>
              <span className={styles.face}>
                <img src={artUrl(`icons/${item.art}.webp`)} width={32} height={32} alt="" />
              </span>
              {item.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
