import { useQuery } from '@tanstack/react-query';

import { profileQuery } from '../../api/profile.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { hasEditableFields, ProfileForm } from './ProfileForm.tsx';
import { ProfilePicture } from './ProfilePicture.tsx';
import { ReadOnlyRows } from './ReadOnlyRows.tsx';

import styles from './ProfileScreen.module.css';

export default function ProfileScreen() {
  return (
    <div className={styles.screen}>
      <QueryView query={useProfile()} className={styles.loaded} skeleton={<Waiting />}>
        {({ profile, setting }) => (
          <>
            <ProfilePicture />
            <ReadOnlyRows profile={profile} />
            {hasEditableFields(setting, profile) && (
              <ProfileForm profile={profile} setting={setting} />
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

/** The profile, and the settings of its fields. */
function useProfile() {
  const profile = useQuery(profileQuery);
  const setting = useQuery(registerSettingQuery);
  const missing = profile.data ? setting : profile;
  return {
    data: profile.data && setting.data && { profile: profile.data, setting: setting.data },
    error: missing.error,
    isFetching: missing.isFetching,
    refetch: () => Promise.all([profile.refetch(), setting.refetch()]),
  };
}

const Waiting = () => (
  <>
    <Skeleton shape="box" width={96} height={96} className={styles.waiting} />
    {[0, 1, 2, 3, 4].map((i) => (
      <Skeleton key={i} shape="box" height={56} />
    ))}
  </>
);
