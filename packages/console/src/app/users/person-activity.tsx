import { Anchor, Badge, Group, Text } from '@mantine/core'
import { type PersonTurn, personTurn } from '@sibyl/operations/records'
import { type UsageDay, usageDay } from '@sibyl/plugin-credits/records'
import { authSchemas } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { logPath } from '../components/failure-counts.ts'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Scopes } from './scopes.tsx'
import { useAfterPages } from './use-after-pages.ts'

const personTurns = z.object({ turns: z.array(personTurn), keepDays: z.number() })

const colors: Partial<Record<PersonTurn['outcome'], string>> = { failed: 'red', interrupted: 'orange' }

/** The conversation of an own turn; the lines of the log for those of others. */
const to = ({ turnId, sessionId }: Pick<PersonTurn, 'turnId' | 'sessionId'>): string =>
  sessionId === undefined ? logPath(turnId) : `/chat/${encodeURIComponent(sessionId)}`

/** The latest turns of a person on every channel, without what they contain. */
export const PersonTurns = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const path = `/operator/people/${encodeURIComponent(did)}/turns`
  const api = useApi()
  const turns = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get(path, { schema: personTurns, signal }),
  })
  const columns: Column<PersonTurn>[] = [
    {
      key: 'started',
      header: t('turns.started'),
      width: '9rem',
      cell: ({ startedAt, turnId, sessionId }) => (
        <>
          <Text size="sm">
            <RelativeTime value={startedAt} />
          </Text>
          <Anchor size="xs" renderRoot={props => <Link to={to({ turnId, sessionId })} {...props} />}>
            {t(sessionId === undefined ? 'turns.log' : 'turns.open')}
          </Anchor>
        </>
      ),
    },
    {
      key: 'status',
      header: t('turns.result'),
      width: '9rem',
      cell: ({ outcome, code, channel }, isNarrow) => (
        <>
          <Badge variant="light" color={colors[outcome] ?? 'gray'} tt="none" title={code}>
            {t(`turns.${outcome}`)}
          </Badge>
          <Text size="xs" c="dimmed" truncate title={code}>
            {isNarrow ? channel : code}
          </Text>
        </>
      ),
    },
    { key: 'channel', header: t('waiting.channel'), width: '7rem', wideOnly: true, cell: ({ channel }) => channel },
    {
      key: 'tools',
      header: t('turns.tools'),
      wideOnly: true,
      cell: ({ tools }) => (
        <Text size="sm" truncate title={tools.join(', ')}>
          {tools.join(', ')}
        </Text>
      ),
    },
    {
      key: 'tokens',
      header: t('person.tokens'),
      width: '6rem',
      wideOnly: true,
      cell: ({ usage }) => number(usage.inputTokens + usage.outputTokens),
    },
  ]
  return (
    <Section title={t('turns.title')} description={t('turns.description')}>
      <QueryStates query={turns}>
        {({ turns: rows, keepDays }) =>
          rows.length === 0 ? (
            <Note>{t(keepDays === 0 ? 'turns.off' : 'turns.none')}</Note>
          ) : (
            <DataTable
              label={t('listOf', { title: t('turns.title') })}
              rows={rows}
              rowKey={({ turnId }) => turnId}
              rowHeight={56}
              maxHeight="24rem"
              columns={columns}
            />
          )
        }
      </QueryStates>
      <CommandHint commands={[`GET /operator/people/${did}/turns`]} />
    </Section>
  )
}

/** The spending of a person by day. */
export const PersonSpending = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const { number, credits } = useFormat()
  const days = usePages(
    '/credits/days',
    'days',
    { did, limit: 30 },
    { schema: usageDay, itemKey: ({ day }: UsageDay) => day },
  )
  return (
    <Section title={t('spending.title')}>
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
