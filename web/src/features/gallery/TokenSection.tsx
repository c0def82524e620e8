import { Icon } from '../../ui/Icon.tsx';
import { iconNames } from '../../ui/icons.ts';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

const colours = [
  'bg',
  's-1',
  's-2',
  's-3',
  'line',
  'line-strong',
  'fl',
  'tx-3',
  'brand',
  'brand-2',
  'brand-tx',
  'accent',
  'ok',
  'warn',
  'bad',
  'info',
];
const sizes = [11, 13, 15, 17, 20, 24] as const;

export function TokenSection() {
  return (
    <>
      <Section title="Colours">
        <div className={styles.swatches}>
          {colours.map((name) => (
            <div key={name}>
              <div className={styles.swatch} style={{ '--swatch': `var(--${name})` }} />
              {name}
            </div>
          ))}
        </div>
      </Section>
      <Section title="Type">
        {sizes.map((size) => (
          <p
            key={size}
            lang="vi"
            style={{ fontSize: `var(--fs-${size})`, fontWeight: size > 15 ? 700 : 500 }}
          >
            {size} Chào bạn trở lại, Nổi Giận
          </p>
        ))}
        <p lang="ur" dir="rtl" style={{ fontSize: 'var(--fs-17)' }}>
          ہر شرط پر 1.2% تک واپس
        </p>
      </Section>
      <Section title="Icons">
        <Row label="Those that point turn round with the line of reading">
          <div className={styles.icons}>
            {iconNames.map((name) => (
              <Icon key={name} name={name} />
            ))}
          </div>
        </Row>
      </Section>
    </>
  );
}
