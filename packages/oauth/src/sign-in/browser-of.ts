/** Browsers and systems by a word of the header, the more specific ones first: most name others too. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'a Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Returns a short description of a browser: `Firefox on Windows`. Contains no text of the header, which anyone can choose. */
export const browserOf = (userAgent = ''): string => {
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([word]) => userAgent.includes(word))?.[1]
  const system = nameIn(systems)
  return `${nameIn(browsers) ?? 'An unknown browser'}${system === undefined ? '' : ` on ${system}`}`
}
