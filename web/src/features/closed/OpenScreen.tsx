import { useLingui } from '@lingui/react/macro';

import { artUrl } from '../../lib/art.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';

/** Shown at the addresses of the closed pages while the site is open. */
export default function OpenScreen() {
  const { t } = useLingui();
  return (
    <Empty
      art={artUrl('spots/star.webp')}
      icon="check-circle-fill"
      title={t`We are open`}
      text={t`There is no maintenance, and your address is welcome.`}
      actions={
        <Link to={homePath} className={buttonClass({ size: 'md' })}>
          {t`To home`}
        </Link>
      }
    />
  );
}
