import { useLingui } from '@lingui/react/macro';

import { goBack, goHome } from '../lib/router.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { LanguageToggle } from './LanguageToggle.tsx';
import { openMenu } from './overlays.ts';
import type { Route } from './routes.ts';
import { markScrolled } from './scrolling.ts';
import { useRouteTitle } from './useRouteTitle.ts';

import styles from './TitleBar.module.css';

/** The bar on top of every screen but home: the way back, the title, the menu. */
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
      {route.languageToggle && <LanguageToggle between={route.languageToggle} />}
      <IconButton icon="list" label={t`Menu`} onPress={openMenu} />
    </header>
  );
}
