import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAccess } from '../session/console-context.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DelegationsSection } from './delegations-section.tsx'
import { MemorySection } from './memory-section.tsx'
import { OwnDataSection } from './own-data-section.tsx'
import { PhonesSection } from './phones-section.tsx'
import { PreferencesSection } from './preferences-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'
import { UsageSection } from './usage-section.tsx'
import { UsersPage } from './users-page.tsx'

/** The stored data of the user, and the clients that act for them. */
export const MyDataView = () => {
  const { t } = useTranslation('users')
  const { may, has } = useAccess()
  return (
    <UsersPage title={t('mine.title')} description={t('mine.description')}>
      <Stack gap="md" maw={960}>
        {may('session/read') && <UsageSection />}
        {has('user-preferences') && may('user-preferences/read') && <PreferencesSection />}
        {has('memory') && may('memory/read') && <MemorySection />}
        {has('sms') && may('sms/read') && <PhonesSection />}
        {may('sign-in/read') && <SignInsSection />}
        {may('api-key/read') && <ApiKeysSection />}
        {may('delegation/read') && <DelegationsSection />}
        <OwnDataSection />
      </Stack>
    </UsersPage>
  )
}
