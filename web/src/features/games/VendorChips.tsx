import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';

import { vendorsQuery } from '../../api/vendors.ts';
import { useIntoView } from '../../lib/into-view.ts';
import { Link, opensElsewhere } from '../../lib/router.tsx';
import { placePath, type Place } from './place.ts';

import styles from './VendorChips.module.css';

export type VendorChipsProps = { place: Place; onChoose: (place: Place) => void };

/** Whose games of a category are shown: all vendors', or those of one. */
export function VendorChips({ place, onChoose }: VendorChipsProps) {
  const { t } = useLingui();
  const { data: vendors = [], isFetching } = useQuery(vendorsQuery);
  const row = useIntoView(`${place.vendor}/${vendors.length}`);
  const serving = vendors.filter((vendor) => vendor.categories.includes(place.category));
  // An address may name a vendor that serves nothing here: it is shown, so that it can be left.
  const named = vendors.find(({ code }) => code === place.vendor);
  const other = place.vendor && !serving.some(({ code }) => code === place.vendor);
  // The list below is where it will be: games may come before their vendors.
  if (vendors.length === 0 && isFetching) return <div className={styles.place} />;
  if (serving.length < 2 && !other) return null;

  const chips = [
    { code: '', name: t`All` },
    ...(other ? [{ code: place.vendor, name: named?.name ?? t`Other provider` }] : []),
    ...serving,
  ];
  return (
    <nav ref={row} aria-label={t`Game providers`} className={styles.chips}>
      {chips.map(({ code, name }) => {
        const chip = { category: place.category, vendor: code };
        return (
          <Link
            key={code}
            to={placePath(chip)}
            className={styles.chip}
            aria-current={code === place.vendor ? 'true' : undefined}
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
