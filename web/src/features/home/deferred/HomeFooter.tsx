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

/** Who makes the games, how to stay in control, who watches over the house. */
export function HomeFooter() {
  return (
    <footer className={styles.footer}>
      <Failed />
      <Providers />
      <ResponsiblePlay />
      <Pages />
      <Licences />
      <Languages />
    </footer>
  );
}

/** Says once that parts of the footer could not be had; a tap loads all of them. */
function Failed() {
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

/** Places kept while the providers are on their way. */
const places = 8;

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
          Array.from({ length: places }, (_, i) => (
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

/** The agreement and the policies of the merchant. */
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

/** Badges as the operator set them; a licence is never claimed by the product itself. */
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
      {/* This line is Vietnamese in every language of the interface. */}
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
