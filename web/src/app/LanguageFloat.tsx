import { useLanguages } from '../api/languages.ts';
import { describeError } from '../i18n/api-error.ts';
import { LanguagePill } from '../ui/form/LanguagePill.tsx';
import { toast } from '../ui/toastStore.ts';

import styles from './LanguageFloat.module.css';

/** The language picker in the header of screens without one. */
export default function LanguageFloat() {
  const { picker } = useLanguages();
  if (picker.length < 2) return null;
  return (
    <aside className={styles.float}>
      <LanguagePill
        languages={picker}
        small
        onFailure={(failure) => toast.error(describeError(failure))}
      />
    </aside>
  );
}
