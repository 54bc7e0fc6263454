/** Reads the address of an oracle: http or https, without a password; undefined when it is none. */
export const parseOracleUrl = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return url.href.replace(/\/+$/, '')
}
