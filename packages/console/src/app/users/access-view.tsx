import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NotAllowedState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { AllKeysSection } from './all-keys-section.tsx'
import { AllSignInsSection } from './all-sign-ins-section.tsx'
import { OperatorsSection } from './operators-section.tsx'
import { RevocationsSection } from './revocations-section.tsx'
import { SignInCodeSection } from './sign-in-code-section.tsx'
import { UsersPage } from './users-page.tsx'

/** The access to the oracle and to its operation, for the operator. */
export const AccessView = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  return (
    <UsersPage title={t('access.title')} description={t('access.description')}>
      {may('operator/read') ? (
        <Stack gap="md" maw={960}>
          <OperatorsSection />
          {may('operator/write') && <SignInCodeSection />}
          <AllKeysSection />
          <AllSignInsSection />
          <RevocationsSection />
        </Stack>
      ) : (
        <NotAllowedState ability="operator/read" />
      )}
    </UsersPage>
  )
}
