import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const TwinsView = () => {
  const { t } = useTranslation('twins')
  return <Page title={t('title')}>{null}</Page>
}
