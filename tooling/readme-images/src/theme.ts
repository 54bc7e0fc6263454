/** The colors of a picture. */
export interface Theme {
  readonly background: string
  readonly border: string
  readonly text: string
  readonly dim: string
  readonly accent: string
  /** Colors 0 to 7 of a terminal. */
  readonly palette: readonly string[]
}

/** One picture is drawn for each theme; the README chooses with `prefers-color-scheme`. */
export const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#1f2328',
    dim: '#656d76',
    accent: '#0a6b75',
    palette: ['#1f2328', '#b3261e', '#1a7f37', '#8a5a00', '#0550ae', '#7d3cb5', '#0a6b75', '#656d76'],
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    text: '#e6edf3',
    dim: '#8d96a0',
    accent: '#56d4dd',
    palette: ['#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#b1bac4'],
  },
}

/** Returns text as it stands in XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
