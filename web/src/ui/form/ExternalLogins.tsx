import { useLingui } from '@lingui/react/macro';

import { Button } from '../Button.tsx';
import { buttonClass } from '../buttonClass.ts';

import styles from './ExternalLogins.module.css';

type Service = 'Facebook' | 'Google';

type ExternalLoginsProps = {
  /** Each service has a URL or a press handler. */
  logins: readonly { service: Service; url?: string; onPress?: () => void; busy?: boolean }[];
  /** Hides the "or continue with" line. */
  alone?: boolean;
};

const look = { variant: 'secondary', size: 'md' } as const;

export function ExternalLogins({ logins, alone = false }: ExternalLoginsProps) {
  const { t } = useLingui();
  if (logins.length === 0) return null;
  return (
    <div className={styles.logins}>
      {!alone && <p className={styles.or}>{t`or continue with`}</p>}
      <div className={styles.buttons}>
        {logins.map(({ service, url, onPress, busy }) =>
          url ? (
            // Not a Link: the server redirects to another site.
            <a key={service} href={url} className={buttonClass(look)}>
              <Name service={service} />
            </a>
          ) : (
            <Button key={service} {...look} busy={busy} onPress={onPress}>
              <Name service={service} />
            </Button>
          ),
        )}
      </div>
    </div>
  );
}

function Name({ service }: { service: Service }) {
  const { t } = useLingui();
  return (
    <>
      <span aria-hidden="true" className={service === 'Facebook' ? styles.first : styles.second}>
        {service.charAt(0)}
      </span>
      {t`${service} account`}
    </>
  );
}
