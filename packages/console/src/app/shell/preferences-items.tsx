import { Menu, useMantineColorScheme } from '@mantine/core'
import { Check, Languages, Moon, Sun, SunMoon, Terminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useChooseLanguage } from '../components/language-links.tsx'
import { useForDevelopers } from '../components/use-stored.ts'
import { type Language, languages } from '../i18n/languages.ts'

/** The choice of a language and of colors in a menu. */
export const PreferencesItems = () => {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [isForDevelopers, setForDevelopers] = useForDevelopers()
  const choose = useChooseLanguage()
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
      <Menu.Label>{t('account.view')}</Menu.Label>
      <Menu.Item
        aria-current={isForDevelopers}
        leftSection={isForDevelopers ? <Check size={14} aria-hidden /> : <Terminal size={14} aria-hidden />}
        closeMenuOnClick={false}
        onClick={() => setForDevelopers(!isForDevelopers)}
      >
        {t('account.developers')}
      </Menu.Item>
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
