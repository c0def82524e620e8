import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { registerSettingQuery, type RegisterSetting } from '../../api/registration.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './SecurityScreen.module.css';

/** Loads the registration settings, which contain the rules. */
export function WithRegisterSetting({
  children,
}: {
  children: (setting: RegisterSetting) => ReactNode;
}) {
  const query = useQuery(registerSettingQuery);
  return (
    <QueryView
      query={query}
      skeleton={
        <div className={styles.form}>
          {[0, 1, 2].map((place) => (
            <Skeleton key={place} shape="box" height={56} />
          ))}
        </div>
      }
    >
      {children}
    </QueryView>
  );
}
