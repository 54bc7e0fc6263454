import { Menu, useMantineColorScheme } from '@mantine/core'
import { Languages, Moon, Sun, SunMoon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Language, languages, storeLanguage } from '../i18n/languages.ts'

/** The choice of a language and of colors in a menu. */
export const PreferencesItems = () => {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choose = (language: Language) => {
    storeLanguage(language)
    void i18n.changeLanguage(language)
    document.documentElement.lang = language
  }
  return (
    <>
      <Menu.Label>{t('account.language')}</Menu.Label>
      {Object.entries(languages).map(([code, name]) => (
        <Menu.Item
          key={code}
          lang={code}
          leftSection={<Languages size={14} aria-hidden />}
          aria-current={i18n.language === code}
          onClick={() => choose(code as Language)}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Label>{t('account.scheme')}</Menu.Label>
      {(['light', 'dark', 'auto'] as const).map(scheme => {
        const Icon = { light: Sun, dark: Moon, auto: SunMoon }[scheme]
        return (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={14} aria-hidden />}
            aria-current={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`account.${scheme}`)}
          </Menu.Item>
        )
      })}
    </>
  )
}
