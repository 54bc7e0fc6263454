import { createInstance, type i18n } from 'i18next'
import resourcesToBackend from 'i18next-resources-to-backend'
import { initReactI18next } from 'react-i18next'
import { currentLanguage, languages } from './languages.ts'

const files = import.meta.glob<{ readonly messages: Record<string, unknown> }>('../*/messages/*.ts')

/** Loads the messages of the current language. Each feature has a namespace, which is loaded with its first view. */
export const startI18n = async (): Promise<i18n> => {
  const instance = createInstance()
  await instance
    .use(initReactI18next)
    .use(
      resourcesToBackend(async (language: string, namespace: string) => {
        const folder = namespace === 'common' ? 'i18n' : namespace
        const path = namespace === 'common' ? `./messages/${language}.ts` : `../${folder}/messages/${language}.ts`
        const load = namespace === 'common' ? common[path] : files[path]
        if (!load) throw new Error(`There are no messages ${path}.`)
        return (await load()).messages
      }),
    )
    .init({
      lng: currentLanguage(),
      supportedLngs: Object.keys(languages),
      fallbackLng: 'en',
      ns: ['common'],
      defaultNS: 'common',
      // React escapes.
      interpolation: { escapeValue: false },
    })
  return instance
}

const common = import.meta.glob<{ readonly messages: Record<string, unknown> }>('./messages/*.ts')
