import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { cashBackFlag, inboxModule, referralPromotion } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './Shortcuts.module.css';

type Shortcut = { to: string; art: string; label: string; shown?: boolean | undefined };

/** The most used screens, without those that the merchant has switched off. */
export function Shortcuts() {
  const { t } = useLingui();
  const { data: switches, isPending } = useQuery(switchesQuery);
  const shortcuts: Shortcut[] = [
    { to: '/m/gameRecord', art: 'receipt', label: t`Betting record` },
    { to: '/m/rewardCenter', art: 'gift', label: t`Rewards` },
    {
      to: '/m/member/manualRebate',
      art: 'money-wings',
      label: t`Cash back`,
      shown: switches?.flag(cashBackFlag),
    },
    {
      to: '/m/inviteFriends',
      art: 'handshake',
      label: t`Invite friends`,
      shown: switches?.promotion(referralPromotion),
    },
    { to: '/m/webEmail', art: 'mail', label: t`Inbox`, shown: switches?.module(inboxModule) },
    { to: '/m/member/bankCards', art: 'bank', label: t`Bank cards` },
    { to: '/m/member/kyc', art: 'identity', label: t`Identity check` },
    { to: '/m/member/limits', art: 'stopwatch', label: t`Limits` },
  ];
  return (
    <nav aria-label={t`Shortcuts`} aria-busy={isPending || undefined}>
      <ul className={styles.card}>
        {isPending
          ? shortcuts.map(({ to }) => (
              <li key={to} aria-hidden="true" className={styles.cell}>
                <Skeleton shape="box" width={34} height={34} />
                <Skeleton width={56} height="1lh" />
              </li>
            ))
          : shortcuts
              .filter(({ shown = true }) => shown)
              .map(({ to, art, label }) => (
                <li key={to}>
                  <Link to={to} className={styles.cell}>
                    <Picture src={artUrl(`icons/${art}.webp`)} size={34} />
                    {label}
                  </Link>
                </li>
              ))}
      </ul>
    </nav>
  );
}
