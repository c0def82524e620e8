import { Trans } from '@lingui/react/macro';

import { Link } from '../../lib/router.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

import styles from './RegisterScreen.module.css';

type AgreementProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
};

export function Agreement({ checked, onChange }: AgreementProps) {
  return (
    <Checkbox checked={checked} onChange={onChange}>
      <Trans>
        I agree to the{' '}
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
