import { useLingui } from '@lingui/react/macro';

import { barActionsId } from '../lib/bar.ts';
import { openMenu } from '../lib/overlays.ts';
import { goBack, goHome } from '../lib/router.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import type { Route } from './routes.ts';
import { markScrolled } from './scrolling.ts';
import { useRouteTitle } from './useRouteTitle.ts';

import styles from './TitleBar.module.css';

/** The header of every screen except home: back, title and menu. */
export function TitleBar({ route }: { route: Route }) {
  const { t } = useLingui();
  const title = useRouteTitle(route);
  const back = route.back === 'home' ? goHome : goBack;

  return (
    <header ref={markScrolled} className={styles.bar}>
      <IconButton icon="arrow-left" label={t`Back`} onPress={back} />
      <h1 className={styles.title} tabIndex={-1}>
        {title}
      </h1>
      <div id={barActionsId} className={styles.actions} />
      <IconButton icon="list" label={t`Menu`} onPress={openMenu} />
    </header>
  );
}
