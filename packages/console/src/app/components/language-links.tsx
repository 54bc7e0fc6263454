import { Anchor, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Language, languages, storeLanguage } from '../i18n/languages.ts'

/** Returns a function that changes the language, and stores it for the next visit. */
export const useChooseLanguage = (): ((language: Language) => void) => {
  const { i18n } = useTranslation()
  return language => {
    storeLanguage(language)
    void i18n.changeLanguage(language)
    document.documentElement.lang = language
  }
}

/** The other languages, where there is no menu of the account. */
export const LanguageLinks = () => {
  const { i18n } = useTranslation()
  const choose = useChooseLanguage()
  return (
    <Group gap="md">
      {Object.entries(languages)
        .filter(([code]) => code !== i18n.language)
        .map(([code, name]) => (
          <Anchor
            key={code}
            component="button"
            type="button"
            size="sm"
            lang={code}
            onClick={() => choose(code as Language)}
          >
            {name}
          </Anchor>
        ))}
    </Group>
  )
}
