import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';

import * as categoryCode from '../../api/categories.gen.ts';
import type { Category } from '../../api/category-table.ts';
import { loginPath } from '../../api/require-login.ts';
import { useLoggedIn } from '../../api/session.ts';
import { artUrl } from '../../lib/art.ts';
import { homePath, Link } from '../../lib/router.tsx';
import { Picture } from '../../ui/Picture.tsx';

import styles from './CategoryChips.module.css';

export type CategoryChipsProps = {
  categories: readonly Category[];
  current: string;
  /** The category that home shows by default. */
  defaultCode: string;
};

/** A scrolling row of categories. The URL stores the chosen one. */
export function CategoryChips({ categories, current, defaultCode }: CategoryChipsProps) {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const loggedIn = useLoggedIn();

  function target({ code }: Category): string {
    if (code === categoryCode.favourites) return loggedIn ? favourites : loginPath(favourites);
    return code === defaultCode ? homePath : `${homePath}?category=${code}`;
  }

  return (
    <nav aria-label={t`Game categories`} className={styles.rail}>
      {categories.map((category) => (
        <Link
          key={category.code}
          to={target(category)}
          replace={category.code !== categoryCode.favourites}
          className={styles.chip}
          aria-current={category.code === current ? 'true' : undefined}
        >
          <Picture src={artUrl(`icons/${category.art}.webp`)} size={26} />
          {i18n._(category.name)}
        </Link>
      ))}
    </nav>
  );
}

const favourites = '/m/gameList?type=fav';
