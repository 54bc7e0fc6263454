import { Button, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ApiKeyRecord, CreatedApiKeyRecord } from '@sibyl/protocol'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { curl } from '../components/curl.ts'
import { Failure } from '../components/failure.tsx'
import { Section } from '../components/section.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'
import { ApiKeysTable } from './api-keys-table.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { SecretCard } from './secret-card.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The API keys of all users, and a form that creates one. */
export const AllKeysSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const mayWrite = useAccess().may('operator/write')
  const [onlyOperators, setOnlyOperators] = useState(false)
  const keys = useAfterPages<ApiKeyRecord>('/api-keys', 'keys', {
    keyOf: ({ id }) => id,
    query: { as: 'operator', rights: onlyOperators ? 'operator' : undefined },
  })
  return (
    <Section
      title={t('keys.title')}
      description={t('keys.all')}
      actions={
        <Switch
          size="sm"
          label={t('onlyOperators')}
          checked={onlyOperators}
          onChange={event => setOnlyOperators(event.currentTarget.checked)}
        />
      }
    >
      {mayWrite && <CreateKey onCreated={keys.refetch} />}
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
          ofAll
          keys={keys}
          {...(mayWrite && {
            onRevoke: async (id: string) => {
              await api.delete(`/api-keys/${id}`, { query: { as: 'operator' } })
              keys.refetch()
            },
          })}
        />
      )}
      <CommandHint commands={['sibyl api-keys create shop --operator', 'GET /api-keys?as=operator']} />
    </Section>
  )
}

const CreateKey = ({ onCreated }: { readonly onCreated: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { base } = useConsole()
  const [name, setName] = useState('')
  const [did, setDid] = useState('')
  const [days, setDays] = useState<number | string>(90)
  const [scopes, setScopes] = useState(['chat/*', 'session/*'])
  const create = useMutation({
    mutationFn: () =>
      api.post<CreatedApiKeyRecord>('/api-keys', {
        query: { as: 'operator' },
        body: { name: name.trim(), scopes, days: Number(days), ...(did.trim() === '' ? {} : { did: did.trim() }) },
      }),
    onSuccess: () => {
      setName('')
      onCreated()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const made = create.data
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
            <TextInput
              label={t('keys.name')}
              description={t('keys.nameHint')}
              value={name}
              onChange={event => setName(event.currentTarget.value)}
              maxLength={100}
              miw={180}
            />
            <TextInput
              label={t('keys.did')}
              description={t('keys.didHint')}
              value={did}
              onChange={event => setDid(event.currentTarget.value)}
              maxLength={1_000}
              miw={180}
            />
            <NumberInput
              label={t('keys.days')}
              description={t('keys.daysHint')}
              value={days}
              onChange={setDays}
              min={1}
              max={365}
              maw={140}
              hideControls
            />
          </Group>
          <ScopeChoice value={scopes} onChange={setScopes} />
          <Group>
            <Button
              type="submit"
              size="xs"
              loading={create.isPending}
              disabled={name.trim() === '' || scopes.length === 0}
            >
              {t('keys.create')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Failure error={create.error} />
      {made && (
        <SecretCard
          title={t('keys.made', { name: made.name })}
          secret={made.key}
          qr={JSON.stringify({ url: base.oracle.href, key: made.key })}
          qrLabel={t('keys.qr')}
          onClose={() => create.reset()}
        >
          <Text size="sm">{t('keys.scan')}</Text>
          <CommandHint title={t('keys.use')} commands={[curl('GET', api.url('sessions'))]} />
        </SecretCard>
      )}
    </>
  )
}
