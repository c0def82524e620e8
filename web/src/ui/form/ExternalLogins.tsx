import { useLingui } from '@lingui/react/macro';

import { buttonClass } from '../buttonClass.ts';

import styles from './ExternalLogins.module.css';

export type ExternalLoginsProps = {
  /** Each service by its name, and the address where going there begins. */
  ways: readonly { service: 'Facebook' | 'Google'; address: string }[];
  /** Nothing else is offered before them. */
  alone?: boolean;
};

/** Ways in by an account elsewhere. Without any it takes no room. */
export function ExternalLogins({ ways, alone = false }: ExternalLoginsProps) {
  const { t } = useLingui();
  if (ways.length === 0) return null;
  return (
    <div className={styles.logins}>
      {!alone && <p className={styles.or}>{t`or continue with`}</p>}
      <div className={styles.ways}>
        {ways.map(({ service, address }) => (
          // The server leads away from here, so this is no step inside the app.
          <a
            key={service}
            href={address}
            className={buttonClass({ variant: 'secondary', size: 'md' })}
          >
            <span
              aria-hidden="true"
              className={service === 'Facebook' ? styles.first : styles.second}
            >
              {service.charAt(0)}
            </span>
            {t`${service} account`}
          </a>
        ))}
      </div>
    </div>
  );
}
