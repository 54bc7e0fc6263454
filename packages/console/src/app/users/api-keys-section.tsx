import { Button, Group, Text } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'
import { beginSignIn, createKeysAbility, requestedScopes } from '../session/oauth.ts'
import { ApiKeysTable } from './api-keys-table.tsx'
import { CreateKeyForm } from './create-key-form.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The API keys of the user, and a form that creates one if the sign-in allows it. */
export const ApiKeysSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may, scopes } = useAccess()
  const keys = useAfterPages('/api-keys', 'keys', {
    schema: authSchemas.apiKeyList.shape.keys.element,
    keyOf: ({ id }) => id,
  })
  return (
    <Section title={t('keys.title')} description={t('keys.own')}>
      {scopes.includes(createKeysAbility) ? <CreateKeyForm onCreated={keys.refetch} /> : <AllowKeys />}
      <ApiKeysTable
        keys={keys}
        {...(may('api-key/delete') && {
          onRevoke: async (id: string) => {
            await api.delete(`/api-keys/${id}`)
            keys.refetch()
          },
        })}
      />
      <CommandHint
        commands={[
          'npx sibyl api-keys create my-script --scope chat/send --days 30',
          'POST /api-keys',
          'GET /api-keys',
        ]}
      />
    </Section>
  )
}

/** Leads to the sign-in page, where the user allows the creation of keys. */
const AllowKeys = () => {
  const { t } = useTranslation('users')
  const { base } = useConsole()
  const { may } = useAccess()
  const signIn = () => {
    const wanted = may('operator/read') ? requestedScopes.operator : requestedScopes.user
    void beginSignIn(base, { scopes: wanted, returnTo: '/users/mine' })
  }
  return (
    <Group gap="sm">
      <Text size="sm" flex={1} miw={220}>
        {t('keys.notAllowed')}
      </Text>
      <Button size="xs" variant="default" onClick={signIn}>
        {t('keys.signIn')}
      </Button>
    </Group>
  )
}
