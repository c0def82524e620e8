import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';

import { loginPath } from '../../api/require-login.ts';
import { errorMessage } from '../../i18n/error-message.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { toast } from '../../ui/toastStore.ts';

/** Replaces the favourites of a visitor. */
export function LoginNeeded() {
  const { t } = useLingui();
  useEffect(() => {
    const needed = errorMessage('login.not.session');
    if (needed) toast.refuse(needed);
  }, []);
  return (
    <Empty
      art={artUrl('spots/star.webp')}
      title={t`Your favourites`}
      text={t`Log in to see the games that you have starred.`}
      actions={
        <Link
          to={loginPath(location.pathname + location.search)}
          className={buttonClass({ size: 'md' })}
        >
          {t`Login`}
        </Link>
      }
    />
  );
}
