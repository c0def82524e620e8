import { useState } from 'react';

import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Section } from './Section.tsx';

import styles from './Gallery.module.css';

export function FieldSection() {
  const [name, setName] = useState('minhanh_92');
  return (
    <Section title="Field">
      <div className={styles.stack}>
        <Field
          label="Username"
          icon="user"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onClear={() => setName('')}
          hint="6 to 16 letters and digits"
        />
        <Field label="Password" icon="lock-key" type="password" defaultValue="Demo1234" />
        <Field
          label="Phone"
          icon="device-mobile"
          type="tel"
          defaultValue="09x"
          errors={['Too short', 'Digits only']}
        />
        <Field label="Affiliate code" icon="users-three" defaultValue="FAIR88" valid />
        <Field label="E-mail" placeholder="name@example.com" type="email" />
        <Field
          label="Code"
          icon="shield-check"
          placeholder="6 digits"
          trailing={
            <Button size="sm" variant="text">
              Send
            </Button>
          }
        />
        <Field label="Currency" defaultValue="VND" disabled />
      </div>
    </Section>
  );
}
