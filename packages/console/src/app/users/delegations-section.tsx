import { Group, Stack, Text } from '@mantine/core'
import type { DelegationRecord } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Section } from './section.tsx'

/** The delegations with which the oracle acts for the user at other services. */
export const DelegationsSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const { data, error, refetch } = useQuery({
    queryKey: ['/delegation'],
    queryFn: ({ signal }) => api.get<{ readonly delegations: readonly DelegationRecord[] }>('/delegation', { signal }),
  })
  return (
    <Section title={t('delegations.title')} description={t('delegations.description')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingState />
      ) : data.delegations.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('delegations.none')}
        </Text>
      ) : (
        data.delegations.map(({ hash, capabilities, expiresAt }) => (
          <Group key={hash} justify="space-between" gap="xs" align="flex-start">
            <Stack gap={2}>
              {capabilities.map(({ resource, ability }) => (
                <Text key={`${resource} ${ability}`} size="sm">
                  <Text span ff="monospace" size="xs">
                    {ability}
                  </Text>{' '}
                  {t('delegations.at')} {resource}
                </Text>
              ))}
              <Text size="xs" c="dimmed">
                {t('expires')} <RelativeTime value={expiresAt} />
              </Text>
            </Stack>
            {may('delegation/delete') && (
              <ConfirmButton
                label={t('delegations.remove')}
                title={t('delegations.removeTitle')}
                onConfirm={async () => {
                  await api.delete(`/delegation/${encodeURIComponent(hash)}`)
                  await refetch()
                }}
              />
            )}
          </Group>
        ))
      )}
      <CommandHint commands={['POST /delegation {"delegation":"<UCAN>"}', 'GET /delegation']} />
    </Section>
  )
}
