import { useTranslation } from 'react-i18next'
import { Page } from '../components/page.tsx'

export const ChatView = () => {
  const { t } = useTranslation('chat')
  return <Page title={t('title')}>{null}</Page>
}
