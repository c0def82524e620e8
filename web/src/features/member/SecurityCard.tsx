import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { securityQuery, useBindable, type Security } from '../../api/security.ts';
import { changePasswordModule } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './SecurityCard.module.css';

export function SecurityCard() {
  const query = useQuery(securityQuery);
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton shape="box" height={150} className={styles.waiting} />}
    >
      {(security) => <Card security={security} />}
    </QueryView>
  );
}

function Card({ security }: { security: Security }) {
  const { t } = useLingui();
  const { data: switches } = useQuery(switchesQuery);
  const bindable = useBindable();
  const { level, hasPassword, mobile, email, paymentPassword, unprovedMobile, unprovedEmail } =
    security;
  const levels = [t`Security: very low`, t`Security: low`, t`Security: medium`, t`Security: high`];
  // Languages with genders use another form for a password than for a number or an address.
  const ofPassword = {
    set: t({ message: 'Set', context: 'password or question' }),
    unset: t({ message: 'Not set', context: 'password or question' }),
  };
  const ofTarget = (unverified: string) => ({
    set: t`Set`,
    unset: unverified ? t`Not verified` : t`Not set`,
  });
  type Guard = {
    to: string;
    icon: IconName;
    label: string;
    done: boolean;
    words: typeof ofPassword;
    advice: string;
  };
  const password: Guard = {
    to: '/m/changePsw',
    icon: 'lock-key',
    label: t`Password`,
    done: hasPassword,
    words: ofPassword,
    advice: t`Set a password to raise it`,
  };
  const number: Guard = {
    to: '/m/member/security?part=mobile',
    icon: 'device-mobile',
    label: t`Mobile number`,
    done: mobile !== '',
    words: ofTarget(unprovedMobile),
    advice: unprovedMobile
      ? t`Verify your mobile number to raise it`
      : t`Add a mobile number to raise it`,
  };
  const address: Guard = {
    to: '/m/member/security?part=email',
    icon: 'envelope-simple',
    label: t`E-mail`,
    done: email !== '',
    words: ofTarget(unprovedEmail),
    advice: unprovedEmail
      ? t`Verify your e-mail address to raise it`
      : t`Add an e-mail address to raise it`,
  };
  const guards: Guard[] = [
    ...(switches?.module(changePasswordModule) === false ? [] : [password]),
    ...(bindable.mobile ? [number] : []),
    {
      to: '/m/member/security?part=payment',
      icon: 'wallet',
      label: t`Payment password`,
      done: paymentPassword,
      words: ofPassword,
      advice: t`Set a payment password to raise it`,
    },
    ...(bindable.email ? [address] : []),
  ];
  const missing = guards.find(({ done }) => !done);
  return (
    <section className={styles.card}>
      <Link to="/m/member/security" className={styles.head}>
        <span className={styles.mark}>
          <Icon name="shield-check-fill" size={24} />
        </span>
        <span className={styles.words}>
          <strong className={styles.level}>{levels[level - 1]}</strong>
          <span className={styles.advice}>
            {missing?.advice ?? t`Your account is well guarded`}
          </span>
        </span>
        <span aria-hidden="true" className={styles.bars}>
          {levels.map((word, at) => (
            <span key={word} className={cx(styles.bar, at < level && styles.filled)} />
          ))}
        </span>
      </Link>
      <ul className={styles.guards}>
        {guards.map(({ to, icon, label, done, words }) => (
          <li key={to}>
            <Link to={to} className={cx(styles.guard, !done && styles.open)}>
              <span className={styles.tile}>
                <Icon name={icon} />
                <span className={styles.badge}>
                  <Icon name={done ? 'check-bold' : 'plus-bold'} size={10} />
                </span>
              </span>
              {label}
              <span className={styles.visuallyHidden}>{done ? words.set : words.unset}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
