import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { downloadOf, isAppOffered } from '../api/downloads.ts';
import { memberQuery } from '../api/member.ts';
import { useSession } from '../api/session.ts';
import { settingsQuery } from '../api/system.ts';
import { useUnread } from '../api/unread.ts';
import { openMenu, askLogout } from '../lib/overlays.ts';
import { homePath, Link } from '../lib/router.tsx';
import { isStandalone } from '../lib/standalone.ts';
import { Badge } from '../ui/Badge.tsx';
import { buttonClass } from '../ui/buttonClass.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Picture } from '../ui/Picture.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { LazyBalance } from './LazyBalance.tsx';
import { MemberLink } from './MemberLink.tsx';
import { markScrolled } from './scrolling.ts';

import styles from './HomeHeader.module.css';

/** The header of home: the member and the balance, or the login buttons. */
export function HomeHeader() {
  const { t } = useLingui();
  const session = useSession();
  const { data: settings } = useQuery(settingsQuery);
  const name = settings?.merchantName ?? 'Fairground';
  const icon = downloadOf(settings, 'AppDownloadIcon');
  const phone = <Icon name="device-mobile" size={22} />;

  return (
    <header ref={markScrolled} className={styles.header}>
      <span className={styles.menu}>
        <IconButton icon="list" label={t`Menu`} onPress={openMenu} />
        {session && <UnreadBadge />}
      </span>
      <Link to={homePath} className={styles.brand} aria-label={name}>
        <Logo />
        {!session && (
          <span className={styles.wordmark} aria-hidden="true">
            {name}
          </span>
        )}
      </Link>
      {session ? <MemberSummary userName={session.userName} /> : <LoginButtons />}
      {isAppOffered(settings) && !isStandalone() && (
        <Link to="/m/app" className={styles.app} aria-label={t`Download app`}>
          {icon?.startsWith('/') ? <Picture src={icon} size={22} fallback={phone} /> : phone}
        </Link>
      )}
    </header>
  );
}

/** The number of unread messages, shown on the menu button because the menu links to them. */
function UnreadBadge() {
  const { total } = useUnread();
  return <Badge count={total} className={styles.unread} />;
}

function LoginButtons() {
  const { t } = useLingui();
  return (
    <div className={styles.loginButtons}>
      <Link to="/m/login" className={buttonClass({ variant: 'secondary', size: 'sm' })}>
        {t`Login`}
      </Link>
      <Link to="/m/register" className={buttonClass({ size: 'sm' })}>
        {t`Register`}
      </Link>
    </div>
  );
}

function MemberSummary({ userName }: { userName: string }) {
  const { t } = useLingui();
  const { data: member, isError } = useQuery(memberQuery);

  return (
    <>
      <MemberLink className={styles.who}>
        <bdi className={styles.name}>{member?.name ?? userName}</bdi>
        {member ? (
          <span className={styles.vip}>
            <Icon name="crown-fill" size={11} />
            <bdi>{member.vip}</bdi>
          </span>
        ) : (
          !isError && <Skeleton width={52} height={18} />
        )}
      </MemberLink>
      <LazyBalance />
      <IconButton
        icon="sign-out"
        label={t`Log out`}
        onPress={askLogout}
        className={styles.logout}
      />
    </>
  );
}
