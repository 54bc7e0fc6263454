import { Text } from '@mantine/core'
import type { ApiKeyRecord } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Section } from '../components/section.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { ApiKeysTable } from './api-keys-table.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The API keys of the user. A key of the browser cannot create one: the command signs it. */
export const ApiKeysSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const keys = useAfterPages<ApiKeyRecord>('/api-keys', 'keys', { keyOf: ({ id }) => id })
  return (
    <Section title={t('keys.title')} description={t('keys.own')}>
      {keys.error ? (
        <ErrorState error={keys.error} onRetry={keys.refetch} />
      ) : keys.isLoading ? (
        <LoadingState />
      ) : keys.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('keys.none')}
        </Text>
      ) : (
        <ApiKeysTable
          keys={keys}
          {...(may('api-key/delete') && {
            onRevoke: async (id: string) => {
              await api.delete(`/api-keys/${id}`)
              keys.refetch()
            },
          })}
        />
      )}
      <CommandHint commands={['sibyl api-keys create my-script --scope chat/send --days 30', 'GET /api-keys']} />
    </Section>
  )
}
