import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Section } from './section.tsx'
import { type SignIn, SignInsTable } from './sign-ins-table.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The applications that act for users, of all users. */
export const AllSignInsSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const [onlyOperators, setOnlyOperators] = useState(false)
  const list = useAfterPages<SignIn>('/oauth/sign-ins', 'signIns', {
    keyOf: ({ id }) => id,
    query: { as: 'operator', rights: onlyOperators ? 'operator' : undefined },
  })
  return (
    <Section
      title={t('signIns.title')}
      description={t('signIns.all')}
      actions={
        <Switch
          size="sm"
          label={t('onlyOperators')}
          checked={onlyOperators}
          onChange={event => setOnlyOperators(event.currentTarget.checked)}
        />
      }
    >
      {list.error ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : list.isLoading ? (
        <LoadingState />
      ) : list.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('signIns.noneOf')}
        </Text>
      ) : (
        <SignInsTable
          signIns={list.items}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.loadMore}
          {...(may('operator/write') && {
            onEnd: async (id: string) => {
              await api.delete(`/oauth/sign-ins/${encodeURIComponent(id)}`, { query: { as: 'operator' } })
              list.refetch()
            },
          })}
        />
      )}
      <CommandHint commands={['GET /oauth/sign-ins?as=operator', 'DELETE /oauth/sign-ins/{id}?as=operator']} />
    </Section>
  )
}
