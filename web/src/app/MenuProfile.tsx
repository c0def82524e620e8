import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useAvatar } from '../api/avatar.ts';
import { memberQuery } from '../api/member.ts';
import { Link } from '../lib/router.tsx';
import { Amount } from '../ui/Amount.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { buttonClass } from '../ui/buttonClass.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { MemberLink } from './MemberLink.tsx';
import { useBalance } from './useBalance.ts';

import styles from './SideMenu.module.css';

export function MenuProfile({ userName }: { userName: string }) {
  const { t } = useLingui();
  const { data: member } = useQuery(memberQuery);
  const avatar = useAvatar(member?.avatar);
  const balance = useBalance();
  return (
    <section className={styles.card}>
      <MemberLink className={styles.who}>
        <Avatar src={avatar} size={48} />
        <span className={styles.names}>
          <span className={styles.name}>
            <bdi>{member?.name ?? userName}</bdi>
          </span>
          <span className={styles.account}>
            <bdi className={styles.login}>{member?.account ?? userName}</bdi>
            {member && (
              <span className={styles.vip}>
                <Icon name="crown-fill" size={11} />
                <bdi>{member.vip}</bdi>
              </span>
            )}
          </span>
        </span>
      </MemberLink>
      <div className={styles.balanceRow}>
        <div className={styles.total}>
          {t`Total balance`}
          {balance.failure ? (
            <span className={styles.failure}>{balance.failure}</span>
          ) : (
            <Amount
              value={balance.total}
              currency={balance.currency}
              decimals="needed"
              className={styles.balance}
            />
          )}
        </div>
        <IconButton
          icon="arrows-clockwise"
          label={t`Refresh balance`}
          busy={balance.busy}
          onPress={() => void balance.refresh()}
          className={styles.refresh}
        />
      </div>
    </section>
  );
}

/** Takes the place of the profile for visitors. */
export function MenuLogin() {
  const { t } = useLingui();
  return (
    <section className={styles.card}>
      <div className={styles.visitor}>
        <p className={styles.lead}>{t`Log in to see your balance and play.`}</p>
        <div className={styles.loginButtons}>
          <Link to="/m/login" className={buttonClass({ variant: 'secondary', size: 'md' })}>
            {t`Login`}
          </Link>
          <Link to="/m/register" className={buttonClass({ size: 'md' })}>
            {t`Register`}
          </Link>
        </div>
        <Link to="/m/forget" className={styles.forgot}>
          {t`Forgot password?`}
        </Link>
      </div>
    </section>
  );
}
