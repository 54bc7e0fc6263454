/** Returns a fact that the oracle wrote into the page. */
export const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Writes each `npx sibyl` of a text as the command that works where the oracle was started, such as `pnpm sibyl`. */
export const asCalled = (text: string): string => text.replaceAll('npx sibyl', metaOf('sibyl-command') || 'npx sibyl')
