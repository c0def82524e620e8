import { useLingui } from '@lingui/react/macro';

import { artUrl } from '../../lib/art.ts';
import { goBack, homePath, Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';

import styles from './LaunchRefused.module.css';

/** The placeholder of a lobby that is not open yet. */
export function NotOpen() {
  const { t } = useLingui();
  return (
    <div className={styles.screen}>
      <Empty
        art={artUrl('spots/soon.webp')}
        title={t`Not open yet`}
        text={t`We are still setting this place up.`}
        actions={
          <>
            <Link to={homePath} className={buttonClass({ size: 'md' })}>
              {t`To home`}
            </Link>
            <Button variant="secondary" size="md" onPress={goBack}>
              {t`Back`}
            </Button>
          </>
        }
      />
    </div>
  );
}
