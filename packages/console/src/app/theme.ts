import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Blue-green of the documentation, from light to dark. Shade 8 on white and shade 4 on dark pass WCAG AA. */
const brand: MantineColorsTuple = [
  '#e6f7f5',
  '#d0ece8',
  '#a3d8d1',
  '#72c4b9',
  '#4ab3a5',
  '#31a899',
  '#1f9b8c',
  '#12796d',
  '#0b665c',
  '#00524a',
]

/** Design of the console: system fonts, small radius, calm colors. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 8, dark: 7 },
  colors: { brand },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' } } },
  respectReducedMotion: true,
  // The header of a dialog is not the banner of the page; the lock of the page needs a style element without the nonce.
  components: {
    Modal: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // A link in a row under the pointer passes WCAG AA.
    Table: {
      defaultProps: {
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))',
      },
    },
  },
})

/** Colors of quiet text that pass WCAG AA on every background of the console. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5b6570', ...errorColors(9) },
  dark: { '--mantine-color-dimmed': '#a3acb5', ...errorColors(4) },
})

/** Colors of texts that report an error. */
const errorColors = (shade: number) => ({
  '--mantine-color-red-text': `var(--mantine-color-red-${shade})`,
  '--mantine-color-error': `var(--mantine-color-red-${shade})`,
})
