// The type of an icon's module. Icons are imported one by one, because the package's index loads thousands of files.
import type { ComponentType } from 'react';

declare const icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
export default icon;
