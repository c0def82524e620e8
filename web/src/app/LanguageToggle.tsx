import { describeError } from '../api/error.ts';
import { useLanguages } from '../api/languages.ts';
import { languageNames, type Language } from '../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../i18n/runtime.ts';
import { Button } from '../ui/Button.tsx';
import { toast } from '../ui/toastStore.ts';

/** Changes to the first of two languages, and from there to the second. Not there where one is not spoken. */
export function LanguageToggle({ between }: { between: readonly [Language, Language] }) {
  const { all } = useLanguages();
  const [first, second] = between;
  const other = useLanguage() === first ? second : first;
  if (!between.every((language) => all.includes(language))) return null;

  return (
    <Button variant="text" size="md" icon="globe" onPress={() => choose(other)}>
      {/* In its own words, for those who do not read the present ones. */}
      <span lang={other}>{languageNames[other]}</span>
    </Button>
  );
}

function choose(language: Language): void {
  chooseLanguage(language).catch((error) => toast.error(describeError(error)));
}
