import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const HomeView = () => {
  const { t } = useTranslation('home')
  return <Page title={t('title')}>{null}</Page>
}
