import { Button, Stack } from '@mantine/core'
import { type AlertRecord, alertRecord, type CreatedAlertRecord } from '@sibyl/operations/records'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { SecretDialog } from '../components/secret-dialog.tsx'
import { EmptyState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { AlertCard } from './alert-card.tsx'
import { AlertForm } from './alert-form.tsx'
import { AlertHistory } from './alert-history.tsx'
import { OperationsPage } from './operations-page.tsx'

/** Alerts with their states, and the history of their firings. */
export const AlertsView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { may } = useAccess()
  const mayRead = may('operator/read')
  const queries = useQueryClient()
  const [edited, setEdited] = useState<AlertRecord | 'new'>()
  const [secret, setSecret] = useState<string>()
  const alerts = useQuery({
    queryKey: ['operator', 'alerts'],
    queryFn: ({ signal }) =>
      api.get('/operator/alerts', {
        schema: z.object({ alerts: z.array(alertRecord), channels: z.array(alertRecord.shape.target.shape.channel) }),
        signal,
      }),
    enabled: mayRead,
    refetchInterval: 30_000,
  })
  const saved = async (alert: CreatedAlertRecord) => {
    setEdited(undefined)
    setSecret(alert.secret)
    await queries.invalidateQueries({ queryKey: ['operator', 'alerts'] })
  }
  const create = may('operator/write') && (
    <Button size="xs" onClick={() => setEdited('new')}>
      {t('alerts.create')}
    </Button>
  )
  return (
    <OperationsPage view="alerts" actions={alerts.data?.alerts.length ? create : undefined}>
      <QueryStates query={alerts}>
        {({ alerts: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<BellRing size={28} aria-hidden />} title={t('alerts.empty')}>
              <Note>{t('alerts.emptyRemedy')}</Note>
              {create}
            </EmptyState>
          ) : (
            <>
              <Stack gap="xs">
                {list.map(alert => (
                  <AlertCard key={alert.id} alert={alert} onEdit={() => setEdited(alert)} />
                ))}
              </Stack>
              <AlertHistory />
            </>
          )
        }
      </QueryStates>
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[
          operatorCurl('POST', api.url('operator/alerts'), {
            name: 'Turns fail',
            metric: 'failed_turns_percent',
            comparison: 'above',
            threshold: 5,
            target: { webhook: 'https://hooks.example.org/sibyl' },
          }),
        ]}
      />
      {edited !== undefined && alerts.data && (
        <AlertForm
          alert={edited === 'new' ? undefined : edited}
          channels={alerts.data.channels}
          onClose={() => setEdited(undefined)}
          onSaved={saved}
        />
      )}
      <SecretDialog
        title={t('alerts.secretTitle')}
        text={t('alerts.secretText')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </OperationsPage>
  )
}
