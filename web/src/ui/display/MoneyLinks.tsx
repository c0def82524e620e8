import { useLingui } from '@lingui/react/macro';

import { Link } from '../../lib/router.tsx';
import { Icon } from '../Icon.tsx';
import type { IconName } from '../icons.ts';

import styles from './MoneyLinks.module.css';

/** Links to the screens that move money in and out. */
export function MoneyLinks() {
  const { t } = useLingui();
  const links: { to: string; icon: IconName; label: string }[] = [
    { to: '/m/voucherCenter', icon: 'hand-deposit', label: t`Deposit` },
    { to: '/m/withdraw', icon: 'hand-withdraw', label: t`Withdraw` },
    { to: '/m/member/bankCards', icon: 'bank', label: t`Bank cards` },
  ];
  return (
    <nav aria-label={t`Money`} className={styles.links}>
      {links.map(({ to, icon, label }) => (
        <Link key={to} to={to} className={styles.link}>
          <Icon name={icon} size={22} className={styles.icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}
