import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { DelegationRecord } from '@sibyl/client'
import { authSchemas } from '@sibyl/protocol'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ActionForm } from '../components/action-form.tsx'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { FittingQr } from '../components/fitting-qr.tsx'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'

/** The delegations with which the oracle acts for the user at other services. */
export const DelegationsSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const stored = useQuery({
    queryKey: ['/delegation'],
    queryFn: ({ signal }) =>
      api.get('/delegation', { schema: z.object({ delegations: z.array(authSchemas.delegationRecord) }), signal }),
  })
  return (
    <Section title={t('delegations.title')} description={t('delegations.description')}>
      <QueryStates query={stored}>
        {({ delegations }) =>
          delegations.length === 0 ? (
            <Note>{t('delegations.none')}</Note>
          ) : (
            delegations.map(delegation => (
              <Delegation key={delegation.hash} delegation={delegation} onRemoved={stored.refetch} />
            ))
          )
        }
      </QueryStates>
      {may('delegation/keep') && <Delegate onStored={() => void stored.refetch()} />}
      <CommandHint commands={['POST /delegation {"delegation":"<UCAN>"}', 'GET /delegation']} />
    </Section>
  )
}

const Delegation = ({
  delegation,
  onRemoved,
}: {
  readonly delegation: DelegationRecord
  readonly onRemoved: () => Promise<unknown>
}) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const { hash, capabilities, expiresAt } = delegation
  return (
    <Group justify="space-between" gap="xs" align="flex-start">
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
            await onRemoved()
          }}
        />
      )}
    </Group>
  )
}

const Delegate = ({ onStored }: { readonly onStored: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const [text, setText] = useState('')
  const [hasQr, setQr] = useState(false)
  const delegation = text.replace(/\s+/g, '')
  const store = useMutation({
    mutationFn: () => api.post('/delegation', { body: { delegation } }),
    onSuccess: () => {
      setText('')
      onStored()
    },
  })
  return (
    <ActionForm action={store}>
      <Stack gap="xs" align="flex-start">
        <Textarea
          label={t('delegations.ucan')}
          description={t('delegations.ucanHint')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          maxLength={8_192}
          autosize
          minRows={2}
          maxRows={6}
          w="100%"
          spellCheck={false}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" variant="default" loading={store.isPending} disabled={delegation === ''}>
            {t('delegations.store')}
          </Button>
          <Button size="xs" variant="subtle" disabled={delegation === ''} onClick={() => setQr(!hasQr)}>
            {t(hasQr ? 'delegations.hideQr' : 'delegations.showQr')}
          </Button>
        </Group>
        {hasQr && delegation !== '' && (
          <FittingQr
            text={delegation}
            label={t('delegations.qr')}
            note={t('delegations.qrNote')}
            otherwise={<Text size="sm">{t('delegations.qrTooLong')}</Text>}
          />
        )}
      </Stack>
    </ActionForm>
  )
}
