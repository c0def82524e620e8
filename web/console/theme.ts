// The colours of the console, as in the design of the app.
import {
  Alert,
  Badge,
  Card,
  createTheme,
  Paper,
  Table,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

const accent: MantineColorsTuple = [
  '#f1effe',
  '#dedaff',
  '#bdb5ff',
  '#a79dff',
  '#8b7df8',
  '#6d5cf6',
  '#5644e8',
  '#4a38d6',
  '#3b2bb0',
  '#2d2188',
];

/** From the text colour to the darkest surface. */
const dark: MantineColorsTuple = [
  '#f3f5ff',
  '#aeb7d6',
  '#929cc0',
  '#6b77a3',
  '#283252',
  '#262f4c',
  '#121728',
  '#0a0d18',
  '#080a13',
  '#05070d',
];

export const theme = createTheme({
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  defaultRadius: 'md',
  fontFamily: "'Be Vietnam Pro', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, monospace',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Card: Card.extend({ styles: { root: { background: 'var(--surface)' } } }),
    Paper: Paper.extend({ styles: { root: { background: 'var(--surface)' } } }),
    // A table that is wider than the screen can be scrolled with the keyboard.
    TableScrollContainer: Table.ScrollContainer.extend({
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    }),
    // The icon and the background have the colour of the state. The title keeps the normal text colour, for its contrast.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    // The border has the colour of the state. The text keeps the normal text colour, for its contrast.
    Badge: Badge.extend({
      defaultProps: { variant: 'outline', tt: 'none' },
      styles: {
        root: { minWidth: 'max-content' },
        label: { color: 'var(--mantine-color-text)' },
      },
    }),
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: { '--surface': '#121728', '--selected': '#26245a', '--on-selected': '#f3f5ff' },
  light: {
    '--mantine-color-body': '#f2f4fa',
    '--mantine-color-text': '#10152b',
    '--mantine-color-dimmed': '#5c6687',
    '--mantine-color-default-border': '#dce1ef',
    '--surface': '#ffffff',
    '--selected': '#ecebfd',
    '--on-selected': '#4a38d6',
  },
});

/** The colours of the app, for previews. */
export const previewColors = {
  surface: dark[7],
  text: dark[0],
  link: accent[3],
  tag: '#ffc34d',
  action: accent[6],
  actionText: '#ffffff',
};
