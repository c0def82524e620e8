import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useExternalLogins } from '../../api/external-login.ts';
import { freePlayModule } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { ExternalLogins } from '../../ui/form/ExternalLogins.tsx';
import { Icon } from '../../ui/Icon.tsx';

import styles from './LoginScreen.module.css';

type OtherLoginsProps = {
  external: boolean;
  target: string;
};

export function OtherLogins({ external, target }: OtherLoginsProps) {
  const { t } = useLingui();
  const ways = useExternalLogins(target);
  const { data: switches } = useQuery(switchesQuery);
  return (
    <div className={styles.others}>
      {switches?.module(freePlayModule) && (
        <Link
          to="/m/trail"
          className={cx(buttonClass({ variant: 'outline', size: 'md', full: true }), styles.trial)}
        >
          <Icon name="game-controller" size={20} />
          {t`Play for free`}
        </Link>
      )}
      {external && <ExternalLogins logins={ways} />}
    </div>
  );
}
