import { createInstance, type i18n } from 'i18next'
import resourcesToBackend from 'i18next-resources-to-backend'
import { initReactI18next } from 'react-i18next'
import { asCalled } from './as-called.ts'
import { currentLanguage, languages } from './languages.ts'

/** Loads messages by the path of their file: `./twins/messages/en.json`. */
export type MessageFiles = Readonly<Record<string, () => Promise<object>>>

/**
 * Loads the messages of the current language. Each feature has a namespace, which is loaded with its first view.
 *
 * @param files Messages of the features.
 */
export const startI18n = async (files: MessageFiles): Promise<i18n> => {
  const instance = createInstance()
  await instance
    .use(initReactI18next)
    .use({ type: 'postProcessor', name: 'asCalled', process: asCalled })
    .use(
      resourcesToBackend(async (language: string, namespace: string) => {
        const [folder, all] = namespace === 'common' ? ['.', common] : [`./${namespace}`, files]
        const path = `${folder}/messages/${language}.json`
        const load = all[path]
        if (!load) throw new Error(`There are no messages ${path}.`)
        return load()
      }),
    )
    .init({
      lng: currentLanguage(),
      supportedLngs: Object.keys(languages),
      fallbackLng: 'en',
      ns: ['common'],
      defaultNS: 'common',
      postProcess: ['asCalled'],
      // React escapes.
      interpolation: { escapeValue: false },
    })
  return instance
}

const common = import.meta.glob<object>('./messages/*.json', { import: 'default' })
