import { useLingui } from '@lingui/react/macro';

import { askLogout } from '../../lib/overlays.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Balance } from './Balance.tsx';
import { MemberHead } from './MemberHead.tsx';
import { Places } from './Places.tsx';
import { SecurityCard } from './SecurityCard.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import { VipCard } from './VipCard.tsx';

import styles from './MemberScreen.module.css';

export default function MemberScreen() {
  const { t } = useLingui();
  return (
    <div className={styles.screen}>
      <MemberHead />
      <Balance />
      <div className={styles.money}>
        <Link to="/m/voucherCenter" className={buttonClass({ size: 'md' })}>
          <Icon name="hand-deposit" size={20} />
          {t`Deposit`}
        </Link>
        <Link to="/m/withdraw" className={buttonClass({ variant: 'secondary', size: 'md' })}>
          <Icon name="hand-withdraw" size={20} />
          {t`Withdraw`}
        </Link>
      </div>
      <VipCard />
      <Shortcuts />
      <SecurityCard />
      <Places />
      <Button variant="danger" size="md" icon="sign-out" full onPress={askLogout}>
        {t`Log out`}
      </Button>
    </div>
  );
}
