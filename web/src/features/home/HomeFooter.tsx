import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { vendorsQuery } from '../../api/catalogue.ts';
import { settingsQuery } from '../../api/system.ts';
import { artUrl } from '../../lib/art.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { footerOrder } from './providers.ts';
import { ResponsiblePlay } from './ResponsiblePlay.tsx';

import styles from './HomeFooter.module.css';
import home from './HomeScreen.module.css';

/** Who makes the games, how to stay in control, who watches over the house. */
export function HomeFooter() {
  return (
    <footer>
      <Providers />
      <ResponsiblePlay />
      <Licences />
    </footer>
  );
}

function Providers() {
  const { t } = useLingui();
  const { data: vendors } = useQuery(vendorsQuery);
  if (!vendors?.length) return null;
  return (
    <section className={home.section} aria-labelledby="providers">
      <div className={home.sectionHead}>
        <h2 id="providers" className={home.sectionTitle}>
          {t`Game providers`}
        </h2>
      </div>
      <ul className={styles.providers}>
        {footerOrder(vendors).map(({ code, name }) => (
          <li key={code}>
            <Link to={`/m/gameList?vassalage=${code}`} className={styles.provider}>
              <Picture src={artUrl(`vendors/${code}.webp`)} size={26} lazy />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
