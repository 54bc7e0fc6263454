import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const PhoneView = () => {
  const { t } = useTranslation('phone')
  return <Page title={t('title')}>{null}</Page>
}
