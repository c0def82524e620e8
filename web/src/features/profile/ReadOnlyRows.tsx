import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import type { Profile } from '../../api/profile.ts';
import { securityQuery, useBindable } from '../../api/security.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './ProfileScreen.module.css';

/** Profile data that this screen cannot change. The server masks sensitive values. */
export function ReadOnlyRows({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const bindable = useBindable();
  const { data: security } = useQuery(securityQuery);
  return (
    <div className={styles.rows}>
      <p className={styles.row}>
        <span className={styles.name}>{t`Username`}</span>
        <bdi className={styles.value}>{profile.account}</bdi>
      </p>
      {profile.payeeName && (
        <p className={styles.row}>
          <span className={styles.name}>{t`Real name`}</span>
          <bdi className={styles.value}>{profile.payeeName}</bdi>
        </p>
      )}
      {bindable.mobile ? (
        <SecurityRow
          part="mobile"
          name={t`Mobile number`}
          value={profile.mobile}
          unverified={security?.unprovedMobile}
        />
      ) : (
        <ReadOnlyRow name={t`Mobile number`} value={profile.mobile} />
      )}
      {bindable.email ? (
        <SecurityRow
          part="email"
          name={t`E-mail`}
          value={profile.email}
          unverified={security?.unprovedEmail}
        />
      ) : (
        <ReadOnlyRow name={t`E-mail`} value={profile.email} />
      )}
      <ReadOnlyRow name={t`Identity number`} value={profile.idNumber} />
    </div>
  );
}

function ReadOnlyRow({ name, value }: { name: string; value: string }) {
  if (!value) return null;
  return (
    <p className={styles.row}>
      <span className={styles.name}>{name}</span>
      <bdi dir="ltr" className={styles.value}>
        {value}
      </bdi>
    </p>
  );
}

type SecurityRowProps = {
  part: string;
  name: string;
  value: string;
  /** What the member entered and has not verified. */
  unverified: string | undefined;
};

/** Links to the security screen, because a change needs a code. */
function SecurityRow({ part, name, value, unverified }: SecurityRowProps) {
  const { t } = useLingui();
  return (
    <Link to={`/m/member/security?part=${part}`} className={styles.row}>
      <span className={styles.name}>{name}</span>
      {value ? (
        <bdi dir="ltr" className={styles.value}>
          {value}
        </bdi>
      ) : (
        <span className={cx(styles.value, styles.unset)}>
          {unverified ? t`Not verified` : t`Add`}
        </span>
      )}
      <Icon name="caret-right" size={16} className={styles.caret} />
    </Link>
  );
}
