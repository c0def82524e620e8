import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useLanguages } from '../../../api/languages.ts';
import { pagePath, pagesQuery } from '../../../api/pages.ts';
import { settingsQuery } from '../../../api/system.ts';
import { vendorsQuery } from '../../../api/vendors.ts';
import { describeError, wasAnswered } from '../../../i18n/api-error.ts';
import { useLanguage } from '../../../i18n/runtime.ts';
import { Link } from '../../../lib/router.tsx';
import { VendorLogo } from '../../../ui/display/VendorLogo.tsx';
import { ErrorRetry } from '../../../ui/ErrorRetry.tsx';
import { LanguagePill } from '../../../ui/form/LanguagePill.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toastStore.ts';
import { footerOrder } from './providers.ts';
import { ResponsiblePlay } from './ResponsiblePlay.tsx';

import home from '../HomeScreen.module.css';
import styles from './HomeFooter.module.css';

export function HomeFooter() {
  return (
    <footer className={styles.footer}>
      <LoadError />
      <Providers />
      <ResponsiblePlay />
      <Pages />
      <Licences />
      <Languages />
    </footer>
  );
}

/** One error for all parts of the footer. A tap reloads the failed ones. */
function LoadError() {
  const parts = [
    useQuery(vendorsQuery),
    useQuery(pagesQuery(useLanguage())),
    useQuery(settingsQuery),
  ];
  const failed = parts.filter(({ data, error }) => !data && error);
  if (!failed[0]) return null;
  return (
    <div className={styles.failed}>
      <ErrorRetry
        onRetry={() => Promise.all(failed.map(({ refetch }) => refetch()))}
        detail={describeError(failed[0].error)}
        answered={wasAnswered(failed[0].error)}
      />
    </div>
  );
}

const skeletonCount = 8;

function Providers() {
  const { t } = useLingui();
  const { data: vendors, isPending } = useQuery(vendorsQuery);
  if (!isPending && !vendors?.length) return null;
  return (
    <section className={home.section} aria-labelledby="providers" aria-busy={isPending}>
      <div className={home.sectionHead}>
        <h2 id="providers" className={home.sectionTitle}>
          {t`Game providers`}
        </h2>
      </div>
      <ul className={styles.providers}>
        {!vendors &&
          Array.from({ length: skeletonCount }, (_, i) => (
            <li key={i}>
              <Skeleton shape="box" height={60} />
            </li>
          ))}
        {footerOrder(vendors ?? []).map(({ code, name, icon }) => (
          <li key={code}>
            <Link to={`/m/gameList?vassalage=${code}`} className={styles.provider}>
              <VendorLogo icon={icon} name={name} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pages() {
  const { t } = useLingui();
  const { data: pages = [] } = useQuery(pagesQuery(useLanguage()));
  if (pages.length === 0) return null;
  return (
    <nav aria-label={t`Terms and policies`} className={styles.pages}>
      {pages.map(({ name, title }) => (
        <Link key={name} to={pagePath(name)} className={styles.credits}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Languages() {
  const { picker } = useLanguages();
  return (
    <div className={styles.languages}>
      <LanguagePill
        languages={picker}
        onFailure={(failure) => toast.error(describeError(failure))}
      />
    </div>
  );
}

/** The operator's licence badges. The product itself claims none. */
function Licences() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const name = settings?.merchantName ?? 'Fairground';
  return (
    <>
      {settings && settings.licences.length > 0 && (
        <ul className={styles.licences}>
          {settings.licences.map((licence) => (
            <li key={licence.name}>
              <Badge {...licence} />
            </li>
          ))}
        </ul>
      )}
      {/* Vietnamese in every interface language. */}
      <p className={styles.copyright} lang="vi" dir="ltr">
        © 2026 {name}. Bảo lưu mọi quyền.
      </p>
      <Link to="/m/credits" className={styles.credits}>
        {t`Credits`}
      </Link>
    </>
  );
}

function Badge({ name, image, link }: { name: string; image: string; link: string }) {
  const face = (
    <>
      {image ? (
        <Picture src={image} size={24} lazy fallback={<Icon name="scales" size={18} />} />
      ) : (
        <Icon name="scales" size={18} />
      )}
      {name}
    </>
  );
  if (link.startsWith('/m/')) {
    return (
      <Link to={link} className={styles.licence}>
        {face}
      </Link>
    );
  }
  if (!link.startsWith('https://')) return <span className={styles.licence}>{face}</span>;
  return (
    <a href={link} target="_blank" rel="noreferrer" className={styles.licence}>
      {face}
    </a>
  );
}
