import { Stack } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Section } from '../components/section.tsx'
import { NotAllowedState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { AllSignInsSection } from './all-sign-ins-section.tsx'
import { ApiKeysTable } from './api-keys-table.tsx'
import { CreateKeyForm } from './create-key-form.tsx'
import { OnlyOperators } from './only-operators.tsx'
import { OperatorsSection } from './operators-section.tsx'
import { RevocationsSection } from './revocations-section.tsx'
import { SignInCodeSection } from './sign-in-code-section.tsx'
import { useAfterPages } from './use-after-pages.ts'
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

/** The API keys of all users, and a form that creates one. */
const AllKeysSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const mayWrite = useAccess().may('operator/write')
  const [onlyOperators, setOnlyOperators] = useState(false)
  const keys = useAfterPages('/api-keys', 'keys', {
    schema: authSchemas.apiKeyList.shape.keys.element,
    keyOf: ({ id }) => id,
    query: { as: 'operator', rights: onlyOperators ? 'operator' : undefined },
  })
  return (
    <Section
      title={t('keys.title')}
      description={t('keys.all')}
      actions={<OnlyOperators checked={onlyOperators} onChange={setOnlyOperators} />}
    >
      {mayWrite && <CreateKeyForm asOperator onCreated={keys.refetch} />}
      <ApiKeysTable
        ofAll
        keys={keys}
        {...(mayWrite && {
          onRevoke: async (id: string) => {
            await api.delete(`/api-keys/${id}`, { query: { as: 'operator' } })
            keys.refetch()
          },
        })}
      />
      <CommandHint commands={['npx sibyl api-keys create shop --operator', 'GET /api-keys?as=operator']} />
    </Section>
  )
}
