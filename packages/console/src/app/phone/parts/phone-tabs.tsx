import { useTranslation } from 'react-i18next'
import { ViewLinks } from '../../components/view-links.tsx'

/** The views of the phone. */
export const PhoneTabs = () => {
  const { t } = useTranslation('phone')
  const views = [
    { to: '/phone', label: t('tabs.phone') },
    { to: '/phone/flow', label: t('tabs.flow') },
    { to: '/phone/customers', label: t('customers.title') },
  ]
  return <ViewLinks label={t('tabs.label')} views={views} />
}
