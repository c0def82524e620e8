import { useLingui } from '@lingui/react/macro';

import { Icon } from '../../ui/Icon.tsx';

import styles from './CreditsScreen.module.css';

export default function CreditsScreen() {
  const { t } = useLingui();
  const sources = [
    {
      name: 'Fluent Emoji 3D',
      by: 'Microsoft · LobeHub',
      use: t`Pictures on games and banners`,
      licence: 'MIT',
    },
    { name: 'Phosphor', by: 'Phosphor Icons', use: t`Icons`, licence: 'MIT' },
    { name: 'circle-flags', by: 'HatScripts', use: t`Flags`, licence: 'MIT' },
    {
      name: 'Be Vietnam Pro',
      by: 'The Be Vietnam Pro Project Authors',
      use: t`Latin and Vietnamese letters`,
      licence: 'OFL 1.1',
    },
    {
      name: 'Noto Naskh Arabic',
      by: 'The Noto Project Authors',
      use: t`Arabic letters`,
      licence: 'OFL 1.1',
    },
    {
      name: 'Bungee',
      by: 'The Bungee Project Authors',
      use: t`Titles of our own games`,
      licence: 'OFL 1.1',
    },
    {
      name: 'Anton',
      by: 'The Anton Project Authors',
      use: t`Figures at our own tables`,
      licence: 'OFL 1.1',
    },
    {
      name: 'Playfair Display',
      by: 'The Playfair Display Project Authors',
      use: t`Names at our own tables`,
      licence: 'OFL 1.1',
    },
  ];

  return (
    <div className={styles.screen}>
      <p className={styles.lead}>
        {t`Other people’s work in this app, and the licences under which they share it.`}
      </p>
      <ul className={styles.list}>
        {sources.map(({ name, by, use, licence }) => (
          <li key={name} className={styles.source}>
            <div className={styles.words}>
              <bdi className={styles.name}>{name}</bdi>
              <bdi className={styles.by}>{by}</bdi>
              <span>{use}</span>
            </div>
            <bdi className={styles.licence}>{licence}</bdi>
          </li>
        ))}
      </ul>
      <a
        href={`${import.meta.env.BASE_URL}notices.txt`}
        target="_blank"
        rel="noreferrer"
        className={styles.notices}
      >
        {t`All notices in full`}
        <Icon name="caret-right" size={16} />
      </a>
      <p className={styles.lead}>{t`Everything else was drawn for this app.`}</p>
    </div>
  );
}
