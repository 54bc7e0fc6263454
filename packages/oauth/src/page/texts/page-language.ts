import { en, type PageTexts } from './en.ts'
import { fr } from './fr.ts'
import { sw } from './sw.ts'

/** The languages of the pages, as those of the console. */
export const languages = { en: 'English', fr: 'Français', sw: 'Kiswahili' } as const

const texts = { en, fr, sw } as const

/** A page in a language. */
export interface PageLanguage {
  readonly code: keyof typeof languages
  readonly texts: PageTexts
}

/** Languages of a request: of the switch of the page, of the authorization request (`ui_locales` of OpenID Connect), and of the browser. */
export interface LanguageRequest {
  readonly lang?: string | undefined
  /** Languages with spaces between, the best first. */
  readonly uiLocales?: unknown
  /** The header `accept-language`. */
  readonly accepted?: string | undefined
}

/** Returns the first language that is named and that the pages have; otherwise English. */
export const pageLanguage = ({ lang = '', uiLocales, accepted = '' }: LanguageRequest): PageLanguage => {
  const requested = typeof uiLocales === 'string' ? uiLocales.slice(0, 200).split(' ') : []
  const named = [lang, ...requested, ...accepted.slice(0, 500).split(',')].map(one =>
    one.trim().slice(0, 2).toLowerCase(),
  )
  const code = named.find(isLanguage) ?? 'en'
  return { code, texts: texts[code] }
}

const isLanguage = (code: string): code is PageLanguage['code'] => Object.hasOwn(languages, code)
