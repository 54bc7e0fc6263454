import { moreLanguages } from './more-languages.ts'

/** Longest tag, in characters (RFC 5646, section 4.4.1). */
export const maxLanguageTag = 35

/**
 * Returns the canonical form of a language tag (BCP 47): `EN-us` becomes `en-US`, `iw` becomes `he`. Undefined for an
 * invalid tag, for one without a language (`und`), and for extensions and private use, which contain more than a
 * language.
 */
export const canonicalLanguage = (text: string): string | undefined => {
  const tag = text.trim()
  if (tag.length > maxLanguageTag || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag)) return undefined
  try {
    const [canonical] = Intl.getCanonicalLocales(tag)
    return canonical === undefined || /^(?:und|mul|mis|zxx)(?:-|$)/.test(canonical) ? undefined : canonical
  } catch {
    return undefined
  }
}

/** Returns a tag without its variants, which are free text: `en-GB` for `en-GB-oxendict`. */
export const plainLanguage = (tag: string): string => {
  const { language, script, region } = new Intl.Locale(tag)
  return [language, script, region].filter(part => part !== undefined).join('-')
}

/**
 * Returns the part of a canonical tag that is unknown: a language, script, region or variant without a name in Intl and
 * `moreLanguages`, such as `xx`. Undefined if all are known.
 */
export const namelessPart = (tag: string): string | undefined => {
  const { language, script, region } = new Intl.Locale(tag)
  const variants = tag.split('-').slice([language, script, region].filter(part => part !== undefined).length)
  const name = (type: 'language' | 'script' | 'region', code: string) =>
    new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code)
  if (!moreLanguages.has(language) && name('language', language) === undefined) return language
  if (script !== undefined && (script === 'Zzzz' || name('script', script) === undefined)) return script
  if (region !== undefined && (region === 'ZZ' || name('region', region) === undefined)) return region
  return variants.find(variant => name('language', `en-${variant}`) === undefined)
}
