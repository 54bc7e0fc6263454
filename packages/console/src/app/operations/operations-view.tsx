import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const OperationsView = () => {
  const { t } = useTranslation('operations')
  return <Page title={t('title')}>{null}</Page>
}
