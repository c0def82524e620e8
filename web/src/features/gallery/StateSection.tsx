import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Row, Section } from './Section.tsx';

import styles from './Gallery.module.css';

export function StateSection() {
  return (
    <Section title="Loading, failed, empty">
      <Row label="Skeleton and spinner">
        <Skeleton shape="circle" width={44} height={44} />
        <div className={styles.stack}>
          <Skeleton width={140} />
          <Skeleton width={90} />
        </div>
        <Skeleton shape="box" width={80} height={44} />
        <Spinner />
      </Row>
      <div className={styles.stack}>
        <ErrorRetry onRetry={() => new Promise((resolve) => setTimeout(resolve, 1500))} />
        <ErrorRetry onRetry={() => undefined} detail="42 of 48 games" />
      </div>
      <Empty
        title="No game found"
        text="Nothing matches “rồng xanh 88” in slots of JL and PG."
        actions={
          <>
            <Button size="md" variant="secondary">
              Drop filters
            </Button>
            <Button size="md">Hot games</Button>
          </>
        }
      />
    </Section>
  );
}
