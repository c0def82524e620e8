import { Trans } from '@lingui/react/macro';

import { Link } from '../../lib/router.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

import styles from './RegisterScreen.module.css';

type AgreementProps = {
  age: number;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

/** What every new member says: to be old enough, and to agree. */
export function Agreement({ age, checked, onChange }: AgreementProps) {
  return (
    <Checkbox checked={checked} onChange={onChange}>
      <Trans>
        I am {age} or older and agree to the{' '}
        <Link to="/m/userAgreement" className={styles.link}>
          user agreement
        </Link>{' '}
        and the{' '}
        <Link to="/m/policy/privacy" className={styles.link}>
          privacy policy
        </Link>
        .
      </Trans>
    </Checkbox>
  );
}
