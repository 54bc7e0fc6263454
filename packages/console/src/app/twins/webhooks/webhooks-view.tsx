import { Badge, Stack, Text } from '@mantine/core'
import { type WebhookRecord, webhookCreated, webhookRecord } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../../components/command-hint.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { curl } from '../../components/curl.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { QueryStates } from '../../components/query-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { FormButton } from '../../components/schema-form.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'

/** The addresses that receive each change of entities, with the state of their deliveries. */
export const WebhooksView = () => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const { may } = useAccess()
  const [secret, setSecret] = useState<string>()
  const webhooks = useQuery({
    queryKey: ['v1/webhooks'],
    queryFn: ({ signal }) => api.get('v1/webhooks', { schema: z.object({ webhooks: z.array(webhookRecord) }), signal }),
    refetchInterval: 20_000,
  })
  const columns = useColumns(() => void webhooks.refetch())
  const text = (name: 'url' | 'type' | 'did') => ({
    type: 'string',
    title: t(`webhooks.${name}`),
    description: t(`webhooks.hints.${name}`),
  })
  const properties = { url: { ...text('url'), format: 'uri' }, type: text('type'), did: text('did') }
  const create = may('entities/write') && (
    <FormButton
      label={t('webhooks.new')}
      schema={{ type: 'object', required: ['url'], properties }}
      draft="webhook"
      onSubmit={async body => {
        const made = await api.post('v1/webhooks', { body, schema: webhookCreated })
        setSecret(made.secret)
        await webhooks.refetch()
      }}
    />
  )
  return (
    <Page
      title={t('webhooks.title')}
      description={t('webhooks.description')}
      actions={webhooks.data?.webhooks.length ? create : undefined}
    >
      <QueryStates query={webhooks}>
        {({ webhooks: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<Webhook size={28} aria-hidden />} title={t('webhooks.none')}>
              <Note>{t('webhooks.noneRemedy')}</Note>
              {create}
            </EmptyState>
          ) : (
            <DataTable
              label={t('webhooks.title')}
              columns={columns}
              rows={list}
              rowKey={({ id }) => id}
              rowHeight={76}
            />
          )
        }
      </QueryStates>
      <CommandHint commands={[curl('POST', api.url('v1/webhooks'), { url: 'https://hooks.example.org/twins' })]} />
      <SecretDialog
        title={t('webhooks.secretTitle')}
        text={t('webhooks.secretText')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Page>
  )
}

const colors = { active: 'teal', failing: 'orange', 'given-up': 'red', stopped: 'red' } as const

const useColumns = (onDeleted: () => void): readonly Column<WebhookRecord>[] => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const { may } = useAccess()
  const state = ({ state, nextTryAt, lastFailure }: WebhookRecord) => (
    <Stack gap={0} align="flex-start">
      <Badge variant="dot" color={colors[state]} tt="none" fw={500}>
        {t(`webhooks.states.${state}`)}
      </Badge>
      <Text size="xs" c="dimmed" lineClamp={2} title={lastFailure}>
        {nextTryAt === undefined ? (
          lastFailure
        ) : (
          <>
            {t('webhooks.nextTry')} <RelativeTime value={nextTryAt} />: {lastFailure}
          </>
        )}
      </Text>
    </Stack>
  )
  return [
    {
      key: 'url',
      header: t('webhooks.url'),
      cell: (webhook, isNarrow) => (
        <Stack gap={0} align="flex-start">
          <Text size="sm" w="100%" truncate title={webhook.url}>
            {webhook.url}
          </Text>
          {isNarrow ? (
            state(webhook)
          ) : (
            <Text size="xs" c="dimmed" w="100%" truncate>
              {webhook.did ?? webhook.type ?? t('webhooks.allChanges')}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'state', header: t('webhooks.state'), width: '22rem', wideOnly: true, cell: state },
    {
      key: 'delivered',
      header: t('webhooks.delivered'),
      width: '8rem',
      wideOnly: true,
      cell: ({ deliveredAt }) => (deliveredAt === undefined ? '–' : <RelativeTime value={deliveredAt} />),
    },
    ...(may('entities/write')
      ? [
          {
            key: t('webhooks.delete'),
            header: '',
            width: '6.5rem',
            cell: ({ id, url }: WebhookRecord) => (
              <ConfirmButton
                label={t('webhooks.delete')}
                title={t('webhooks.deleteTitle', { url })}
                onConfirm={async () => {
                  await api.delete(`v1/webhooks/${id}`)
                  onDeleted()
                }}
              />
            ),
          },
        ]
      : []),
  ]
}
