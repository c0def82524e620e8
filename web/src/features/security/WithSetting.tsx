import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { registerSettingQuery, type RegisterSetting } from '../../api/registration.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

import styles from './SecurityScreen.module.css';

/** Loads the registration settings, which contain the rules. */
export function WithSetting({ children }: { children: (setting: RegisterSetting) => ReactNode }) {
  const { data, error, refetch } = useQuery(registerSettingQuery);
  if (data) return children(data);
  if (error) {
    return (
      <ErrorRetry detail={describeError(error)} answered={wasAnswered(error)} onRetry={refetch} />
    );
  }
  return (
    <div className={styles.form} aria-busy="true">
      {[0, 1, 2].map((place) => (
        <Skeleton key={place} shape="box" height={56} />
      ))}
    </div>
  );
}
