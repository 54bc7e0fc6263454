import { Anchor, Group, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { accountBalance, type UsageDay, usageDay } from '@sibyl/plugin-credits/records'
import { authSchemas } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { FormButton } from '../components/schema-form.tsx'
import { Section } from '../components/section.tsx'
import { TurnTable, turnsPath, useTraces } from '../components/turn-table.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Scopes } from './scopes.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The turns of a person on every channel, without what they contain. */
export const PersonTurns = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  return (
    <Section
      title={t('turns.title')}
      description={t('turns.description')}
      actions={
        <Anchor size="sm" renderRoot={props => <Link to={turnsPath({ range: 'all', person: did })} {...props} />}>
          {t('turns.filter')}
        </Anchor>
      }
    >
      <TurnTable turns={useTraces({ person: did, limit: 20 })} maxHeight="24rem" />
      <CommandHint commands={[`GET /operator/traces?person=${did}`]} />
    </Section>
  )
}

/** The balance of a person with a form that grants credit, and the spending by day. */
export const PersonSpending = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const { number, credits } = useFormat()
  const api = useApi()
  const { may } = useAccess()
  const path = `/credits/accounts/${encodeURIComponent(did)}`
  const account = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get(path, { schema: accountBalance, signal }),
  })
  const days = usePages(
    '/credits/days',
    'days',
    { did, limit: 30 },
    { schema: usageDay, itemKey: ({ day }: UsageDay) => day },
  )
  return (
    <Section
      title={t('spending.title')}
      actions={may('operator/write') && <GrantCredits key={did} did={did} onGranted={() => void account.refetch()} />}
    >
      <QueryStates query={account}>
        {({ balance, held, usedToday }) => (
          <Text size="sm">
            {t('spending.balance', {
              balance: credits(Number(balance)),
              held: credits(Number(held)),
              today: credits(Number(usedToday)),
            })}
          </Text>
        )}
      </QueryStates>
      <PageStates pages={days} empty={<Note>{t('spending.none')}</Note>}>
        <DataTable
          label={t('listOf', { title: t('spending.title') })}
          rows={days.items}
          rowKey={({ day }) => day}
          maxHeight="16rem"
          pages={days}
          columns={[
            { key: 'day', header: t('spending.day'), cell: ({ day }) => day },
            { key: 'turns', header: t('turns.title'), width: '7rem', cell: ({ turns }) => number(turns) },
            { key: 'credits', header: t('spending.credits'), width: '7rem', cell: one => credits(Number(one.credits)) },
          ]}
        />
      </PageStates>
    </Section>
  )
}

const GrantCredits = ({ did, onGranted }: { readonly did: string; readonly onGranted: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  // A form that is sent again, such as after a lost response and a reload, makes one grant.
  const [key, setKey] = useSessionStorage<string>({
    key: `sibyl-form-key grant ${did}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const text = (name: 'amount' | 'reason') => ({
    type: 'string',
    title: t(`spending.${name}`),
    description: t(`spending.hints.${name}`),
  })
  return (
    <FormButton
      label={t('spending.grant')}
      schema={{
        type: 'object',
        required: ['amount', 'reason'],
        properties: { amount: text('amount'), reason: text('reason') },
      }}
      draft={`grant ${did}`}
      onEdit={() => setKey(crypto.randomUUID())}
      onSubmit={async body => {
        await api.post('/credits/grants', {
          body: { did, ...body },
          headers: { 'idempotency-key': key || crypto.randomUUID() },
        })
        setKey('')
        onGranted()
      }}
    />
  )
}

/** Recorded delegations to a person. */
export const PersonGrants = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const grants = useAfterPages('/grants', 'grants', {
    schema: authSchemas.grantRecord,
    keyOf: ({ hash }) => hash,
    query: { as: 'operator', did },
  })
  return (
    <Section title={t('grants.title')} description={t('grants.description')}>
      <PageStates pages={grants} empty={<Note>{t('grants.none')}</Note>}>
        {grants.items.map(({ hash, issuer, abilities, expiresAt }) => (
          <Group key={hash} justify="space-between" gap="xs" align="flex-start">
            <div>
              <Group gap="xs">
                <Text size="sm">{t('grants.from')}</Text>
                <PersonLink did={issuer} />
              </Group>
              <Scopes scopes={abilities} />
              <Text size="xs" c="dimmed">
                {t('expires')} <RelativeTime value={expiresAt} />
              </Text>
            </div>
            {may('operator/write') && (
              <ConfirmButton
                label={t('keys.revoke')}
                title={t('grants.revokeTitle')}
                onConfirm={async () => {
                  await api.delete(`/grants/${encodeURIComponent(hash)}`, { query: { as: 'operator' } })
                  grants.refetch()
                }}
              />
            )}
          </Group>
        ))}
      </PageStates>
    </Section>
  )
}
