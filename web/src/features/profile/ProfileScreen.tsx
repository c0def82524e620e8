import { useQuery } from '@tanstack/react-query';

import { profileQuery } from '../../api/profile.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { hasEditableFields, ProfileForm } from './ProfileForm.tsx';
import { ProfilePicture } from './ProfilePicture.tsx';
import { ReadOnlyRows } from './ReadOnlyRows.tsx';

import styles from './ProfileScreen.module.css';

export default function ProfileScreen() {
  const { data: profile, error: profileError, refetch } = useQuery(profileQuery);
  const {
    data: setting,
    error: settingError,
    refetch: refetchSetting,
  } = useQuery(registerSettingQuery);
  const error = profile ? (setting ? null : settingError) : profileError;

  if (error) {
    return (
      <ErrorRetry
        detail={describeError(error)}
        answered={wasAnswered(error)}
        onRetry={() => Promise.all([refetch(), refetchSetting()])}
        className={styles.failure}
      />
    );
  }
  if (!profile || !setting) {
    return (
      <div className={styles.screen} aria-busy="true">
        <Skeleton shape="box" width={96} height={96} className={styles.waiting} />
        {[0, 1, 2, 3, 4].map((i) => (
          <Skeleton key={i} shape="box" height={56} />
        ))}
      </div>
    );
  }
  return (
    <div className={styles.screen}>
      <ProfilePicture />
      <ReadOnlyRows profile={profile} />
      {hasEditableFields(setting, profile) && <ProfileForm profile={profile} setting={setting} />}
    </div>
  );
}
