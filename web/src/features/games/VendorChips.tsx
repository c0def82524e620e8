import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';

import { vendorsQuery } from '../../api/vendors.ts';
import { useIntoView } from '../../lib/into-view.ts';
import { Link, opensElsewhere } from '../../lib/router.tsx';
import { selectionPath, type LobbySelection } from './lobby-selection.ts';

import styles from './VendorChips.module.css';

export type VendorChipsProps = {
  selection: LobbySelection;
  onChoose: (selection: LobbySelection) => void;
};

export function VendorChips({ selection, onChoose }: VendorChipsProps) {
  const { t } = useLingui();
  const { data: vendors = [], isFetching } = useQuery(vendorsQuery);
  const row = useIntoView(`${selection.vendor}/${vendors.length}`);
  const serving = vendors.filter((vendor) => vendor.categories.includes(selection.category));
  // The URL may name a vendor without games here.
  const named = vendors.find(({ code }) => code === selection.vendor);
  const other = selection.vendor && !serving.some(({ code }) => code === selection.vendor);
  // Reserves the space: games may load before the vendors.
  if (vendors.length === 0 && isFetching) return <div className={styles.skeleton} />;
  if (serving.length < 2 && !other) return null;

  const chips = [
    { code: '', name: t`All` },
    ...(other ? [{ code: selection.vendor, name: named?.name ?? t`Other provider` }] : []),
    ...serving,
  ];
  return (
    <nav ref={row} aria-label={t`Game providers`} className={styles.chips}>
      {chips.map(({ code, name }) => {
        const chip = { category: selection.category, vendor: code };
        return (
          <Link
            key={code}
            to={selectionPath(chip)}
            className={styles.chip}
            aria-current={code === selection.vendor ? 'true' : undefined}
            onClick={(event: MouseEvent) => {
              if (opensElsewhere(event)) return;
              event.preventDefault();
              onChoose(chip);
            }}
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
