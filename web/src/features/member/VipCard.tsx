import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { memberQuery } from '../../api/member.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './VipCard.module.css';

export function VipCard() {
  const { t } = useLingui();
  const { data: member } = useQuery(memberQuery);
  const label = member && member.vip !== '0' ? member.vip : 'VIP';
  return (
    <Link to="/m/member/vip" className={styles.card}>
      <Picture src={artUrl('icons/crown.webp')} size={40} />
      <span className={styles.words}>
        <bdi className={styles.label}>{label}</bdi>
        <span className={styles.lead}>{t`What your level brings you`}</span>
      </span>
      <span className={styles.more}>
        {t`Privileges`}
        <Icon name="caret-right-bold" size={12} />
      </span>
    </Link>
  );
}
