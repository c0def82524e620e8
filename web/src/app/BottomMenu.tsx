import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../api/categories.gen.ts';
import { unreadQuery } from '../api/content.ts';
import { memberQuery } from '../api/member.ts';
import { isAgent, useSession, whileLoggedIn } from '../api/session.ts';
import { referralPromotion } from '../api/switches.gen.ts';
import { statusQuery, switchesQuery } from '../api/system.ts';
import { cx } from '../lib/cx.ts';
import { homePath, Link, type LinkProps } from '../lib/router.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { MemberLink } from './MemberLink.tsx';
import { homeRoute, type Route } from './routes.ts';
import { markWhileScrolling } from './scrolling.ts';

import styles from './BottomMenu.module.css';

/** The bottom menu with five items, or four if the merchant has no referrals. */
export function BottomMenu({ route }: { route: Route }) {
  const { t } = useLingui();
  const session = useSession();
  const { data: switches } = useQuery(switchesQuery);
  const { data: member } = useQuery({ ...memberQuery, enabled: whileLoggedIn(session !== null) });
  const agent = isAgent(session);
  const { data: status } = useQuery(statusQuery);
  const isHere = (path: string) => route.paths.includes(path);
  // If home starts with another category, the link must name the hot games.
  const hot =
    !status || status.homeCategory === categoryCode.hot
      ? homePath
      : `${homePath}?category=${categoryCode.hot}`;

  return (
    <nav ref={markWhileScrolling} className={styles.menu} aria-label={t`Main`}>
      <ul className={styles.items}>
        <li>
          <Item
            to={hot}
            icon={isHere(homePath) ? 'house-fill' : 'house'}
            label={t`Home`}
            current={route === homeRoute}
            onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
          />
        </li>
        {agent && (
          <li>
            <Notices current={isHere('/m/notice')} />
          </li>
        )}
        {!agent && switches?.promotion(referralPromotion) && (
          <li>
            <Item
              to="/m/inviteFriends"
              icon={isHere('/m/inviteFriends') ? 'users-three-fill' : 'users-three'}
              label={member?.affiliateCode ? t`Affiliate code` : t`Invite friends`}
              current={isHere('/m/inviteFriends')}
            />
          </li>
        )}
        <li>
          {session ? (
            <Centre to="/m/voucherCenter" icon="wallet-fill" label={t`Deposit`} />
          ) : (
            <Centre to="/m/login" icon="sign-in" label={t`Login`} />
          )}
        </li>
        <li>
          <Item
            to="/m/activity"
            icon={isHere('/m/activity') ? 'gift-fill' : 'gift'}
            label={t`Promotion`}
            current={isHere('/m/activity')}
          />
        </li>
        <li>
          <MemberLink
            className={styles.item}
            aria-current={isHere('/m/member/home') ? 'page' : undefined}
          >
            <Icon name={isHere('/m/member/home') ? 'user-circle-fill' : 'user-circle'} size={24} />
            <span className={styles.label}>{t`Me`}</span>
          </MemberLink>
        </li>
      </ul>
    </nav>
  );
}

type ItemProps = Pick<LinkProps, 'to' | 'onClick'> & {
  icon: IconName;
  label: string;
  current: boolean;
  count?: number;
};

function Item({ to, icon, label, current, count = 0, onClick }: ItemProps) {
  return (
    <Link
      to={to}
      className={styles.item}
      aria-current={current ? 'page' : undefined}
      onClick={onClick}
    >
      <Icon name={icon} size={24} />
      <Badge count={count} className={styles.badge} />
      <span className={styles.label}>{label}</span>
    </Link>
  );
}

function Notices({ current }: { current: boolean }) {
  const { t } = useLingui();
  const { data } = useQuery(unreadQuery);
  return (
    <Item
      to="/m/notice"
      icon={current ? 'bell-fill' : 'bell'}
      label={t`Notice`}
      current={current}
      count={data ?? 0}
    />
  );
}

function Centre({ to, icon, label }: Omit<ItemProps, 'current'>) {
  return (
    <Link to={to} className={cx(styles.item, styles.centre)}>
      <span className={styles.fab}>
        <Icon name={icon} size={28} />
      </span>
      <span className={styles.label}>{label}</span>
    </Link>
  );
}
