import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { hot } from '../../api/categories.gen.ts';
import { cashBackFlag } from '../../api/switches.gen.ts';
import { customerService, servicesQuery, switchesQuery } from '../../api/system.ts';
import { artUrl } from '../../lib/art.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { hotGamesId } from './HotGames.tsx';

import styles from './QuickMenu.module.css';

/** The shortcuts below the banner. Placeholders show until it is known which shortcuts the merchant offers. */
export function QuickMenu() {
  const { t } = useLingui();
  const { data: switches, isPending: switchesPending } = useQuery(switchesQuery);
  const { data: services, isPending: servicesPending } = useQuery(servicesQuery);
  const isPending = switchesPending || servicesPending;
  const items = [
    { to: `${homePath}?category=${hot}`, art: 'fire', label: t`Hot games` },
    services?.some(({ csType, path }) => csType === customerService && path) && {
      to: '/m/service',
      art: 'headset',
      label: t`Service`,
    },
    switches?.flag(cashBackFlag) && {
      to: '/m/member/manualRebate',
      art: 'money-wings',
      label: t`Cash back`,
    },
    { to: '/m/withdraw', art: 'bank', label: t`Withdraw` },
    { to: '/m/rewardCenter', art: 'gift', label: t`Rewards` },
  ].filter((item) => !!item);

  return (
    <nav aria-label={t`Shortcuts`} aria-busy={isPending || undefined}>
      <ul className={styles.menu}>
        {isPending
          ? Array.from({ length: 5 }, (_, i) => (
              <li key={i} className={styles.item} aria-hidden="true">
                <Skeleton shape="box" width={52} height={52} className={styles.skeleton} />
                <Skeleton width={48} height="1lh" />
              </li>
            ))
          : items.map((item) => (
              <li key={item.art}>
                <Link
                  to={item.to}
                  className={styles.item}
                  {...(item.art === 'fire' && { replace: true, onClick: showHotGames })}
                >
                  <span className={styles.face}>
                    <Picture src={artUrl(`icons/${item.art}.webp`)} size={32} />
                  </span>
                  {item.label}
                </Link>
              </li>
            ))}
      </ul>
    </nav>
  );
}

function showHotGames(): void {
  document.getElementById(hotGamesId)?.scrollIntoView({ behavior: 'smooth' });
}
