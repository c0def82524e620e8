// Every component in every state. Demo mode only, so its texts are not translated.
import { useEffect, useState } from 'react';

import { Segmented } from '../../ui/Segmented.tsx';
import { ControlSection } from './ControlSection.tsx';
import { FieldSection } from './FieldSection.tsx';
import { FormSection } from './FormSection.tsx';
import { ListSection } from './ListSection.tsx';
import { OverlaySection } from './OverlaySection.tsx';
import { PieceSection } from './PieceSection.tsx';
import { StateSection } from './StateSection.tsx';
import { TileSection } from './TileSection.tsx';
import { TokenSection } from './TokenSection.tsx';
import { ViewSection } from './ViewSection.tsx';

import styles from './Gallery.module.css';

export default function GalleryScreen() {
  return (
    <div className={styles.screen}>
      <header className={styles.top}>
        <RootChoice label="Theme" attribute="data-theme" values={['dark', 'light']} />
        <RootChoice label="Direction" attribute="dir" values={['ltr', 'rtl']} />
      </header>
      <TokenSection />
      <ControlSection />
      <FieldSection />
      <FormSection />
      <PieceSection />
      <ViewSection />
      <TileSection />
      <ListSection />
      <StateSection />
      <OverlaySection />
    </div>
  );
}

// Sets an attribute of the document. Leaving the gallery restores it.
function RootChoice(props: { label: string; attribute: string; values: [string, string] }) {
  const { label, attribute, values } = props;
  const [before] = useState(() => document.documentElement.getAttribute(attribute) ?? values[0]);
  const [value, setValue] = useState(before);
  useEffect(() => {
    document.documentElement.setAttribute(attribute, value);
    return () => document.documentElement.setAttribute(attribute, before);
  }, [attribute, value, before]);
  return (
    <Segmented
      label={label}
      size="sm"
      value={value}
      onChange={setValue}
      options={values.map((one) => ({ value: one, label: one }))}
    />
  );
}
