import { useLingui } from '@lingui/react/macro';

import { artUrl } from '../src/lib/art.ts';
import { Button } from '../src/ui/Button.tsx';
import { Empty } from '../src/ui/Empty.tsx';

import styles from './NotOpen.module.css';

export function NotOpen({ onLeave }: { onLeave: () => void }) {
  const { t } = useLingui();
  return (
    <main className={styles.page}>
      <Empty
        art={artUrl('spots/soon.webp')}
        title={t`This game is not open yet`}
        text={t`No bets are taken here until it opens.`}
        actions={
          <Button size="md" onPress={onLeave}>
            {t`Back`}
          </Button>
        }
      />
    </main>
  );
}
