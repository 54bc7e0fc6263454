import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const UsersView = () => {
  const { t } = useTranslation('users')
  return <Page title={t('title')}>{null}</Page>
}
