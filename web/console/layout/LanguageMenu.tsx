import { useLingui } from '@lingui/react/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';

import { Icon } from '../Icon.tsx';
import { chooseLanguage, languageNames, type Language } from '../language.ts';

export function LanguageMenu() {
  const { t, i18n } = useLingui();
  const choose = (language: Language): void => {
    chooseLanguage(language).catch(() =>
      notifications.show({ color: 'red', message: t`The language could not be loaded.` }),
    );
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={40} aria-label={t`Language`}>
          <Icon name="language" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languageNames).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={language === i18n.locale ? 'true' : undefined}
            onClick={() => choose(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
