import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { settingsQuery } from '../../../api/system.ts';
import { Link } from '../../../lib/router.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import type { IconName } from '../../../ui/icons.ts';

import styles from './ResponsiblePlay.module.css';

export function ResponsiblePlay() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const age = settings?.ageLimit ?? 18;
  const links: { to: string; icon: IconName; label: string }[] = [
    { to: '/m/member/limits', icon: 'sliders-horizontal', label: t`Set limits` },
    { to: '/m/member/limits?part=reminder', icon: 'timer', label: t`Time reminder` },
    { to: '/m/member/limits?part=exclusion', icon: 'shield-check', label: t`Self-exclusion` },
    { to: '/m/help', icon: 'headset', label: t`Need help?` },
  ];

  return (
    <section className={styles.card} aria-labelledby="responsible-play">
      <div className={styles.top}>
        <bdi dir="ltr" className={styles.age}>
          {age}+
        </bdi>
        <div>
          <h2 id="responsible-play" className={styles.title}>
            {t`Stay in control`}
          </h2>
          <p className={styles.text}>{t`Play for fun, with money you can afford to lose.`}</p>
        </div>
      </div>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link.to}>
            <Link to={link.to} className={styles.link}>
              <Icon name={link.icon} size={18} className={styles.icon} />
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
