/** The longest address that is kept, in characters. */
const maxLink = 2_000

/**
 * Where a link leads: http, https and mailto alone. Undefined for scripts, data, what is no address, and what is too long.
 *
 * @param base what it is relative to
 */
export const absoluteLink = (href: string | undefined, base: URL): string | undefined => {
  const text = href?.trim()
  if (text === undefined || text === '' || text.length > maxLink || !URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  if (url.protocol === 'mailto:') return url.href.length <= maxLink ? url.href : undefined
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.username = ''
  url.password = ''
  return url.href.length <= maxLink ? url.href : undefined
}
