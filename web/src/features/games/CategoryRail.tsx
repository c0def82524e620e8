import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';

import * as categoryCode from '../../api/categories.gen.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { Link, opensElsewhere } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { categoryArt, categoryOf, lobbyMenu, type MenuEntry } from './categories.ts';
import { selectionPath, type LobbySelection } from './lobby-selection.ts';
import { useCategoryName } from './useCategoryName.ts';

import styles from './CategoryRail.module.css';

export type CategoryRailProps = {
  selection: LobbySelection;
  onChoose: (selection: LobbySelection) => void;
};

const centrePath = '/m/gameCenter';

export function CategoryRail({ selection, onChoose }: CategoryRailProps) {
  const { t } = useLingui();
  const { data: vendors, isPending, isError, refetch } = useQuery(vendorsQuery);
  const nameOf = useCategoryName();
  const { entries, esports } = lobbyMenu(vendors ?? []);
  // Esports come before lottery.
  const at = entries.findIndex(({ code }) => code === categoryCode.lottery);
  const split = at < 0 ? entries.length : at;

  const item = (entry: MenuEntry) => (
    <Item
      key={`${entry.code}/${entry.vendor ?? ''}`}
      entry={entry}
      name={nameOf(entry)}
      current={isSelected(entry, selection)}
      onChoose={onChoose}
    />
  );

  return (
    <nav
      aria-label={t`Game categories`}
      aria-busy={isPending}
      className={styles.rail}
      data-own-scroll
    >
      {entries.slice(0, split).map(item)}
      {isPending &&
        Array.from({ length: 5 }, (_, i) => (
          <span key={i} className={styles.waiting}>
            <Skeleton shape="box" width={26} height={26} />
            <Skeleton width={40} height={10} />
          </span>
        ))}
      {esports.length > 0 && (
        <div role="group" aria-labelledby="rail-esports" className={styles.group}>
          <p id="rail-esports" className={styles.label}>
            {nameOf(categoryOf(categoryCode.esports))}
          </p>
          {esports.map(item)}
        </div>
      )}
      {entries.slice(split).map(item)}
      {isError && !vendors && (
        <button type="button" className={styles.item} onClick={() => void refetch()}>
          <Icon name="arrow-clockwise" size={22} />
          {t`Load failed, tap to retry`}
        </button>
      )}
      <Link to={centrePath} className={styles.item}>
        <Picture src={categoryArt(categoryOf(categoryCode.all))} size={26} />
        {nameOf(categoryOf(categoryCode.all))}
      </Link>
    </nav>
  );
}

/** Reports whether an entry is selected. Only esports entries must also match the vendor. */
function isSelected({ code, vendor = '' }: MenuEntry, selection: LobbySelection): boolean {
  return (
    code === selection.category && (code !== categoryCode.esports || vendor === selection.vendor)
  );
}

type ItemProps = {
  entry: MenuEntry;
  name: string;
  current: boolean;
  onChoose: (selection: LobbySelection) => void;
};

function Item({ entry, name, current, onChoose }: ItemProps) {
  const { code, vendor = '' } = entry;
  const launches = code === categoryCode.fastLottery;

  function choose(event: MouseEvent): void {
    if (launches || opensElsewhere(event)) return;
    event.preventDefault();
    onChoose({ category: code, vendor });
  }

  return (
    <Link
      ref={current ? bringIntoView : null}
      to={selectionPath({ category: code, vendor })}
      onClick={choose}
      className={styles.item}
      aria-current={current ? 'true' : undefined}
    >
      <Picture src={categoryArt(entry)} size={26} />
      {name}
    </Link>
  );
}

function bringIntoView(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}
