import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { type PersonDetails, personDetails } from '@sibyl/operations/records'
import { authSchemas } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { Did } from '../components/did.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { Section } from '../components/section.tsx'
import { shellText } from '../components/shell-text.ts'
import { NotAllowedState } from '../components/states.tsx'
import { TimePlot } from '../components/time-plot.tsx'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { ApiKeysTable } from './api-keys-table.tsx'
import { Channels } from './channels.tsx'
import { EndAccess } from './end-access.tsx'
import { ExportButton } from './export-button.tsx'
import { OperatorSignIns } from './operator-sign-ins.tsx'
import { PersonGrants, PersonSpending, PersonTurns } from './person-activity.tsx'
import { useAfterPages } from './use-after-pages.ts'
import { UsersPage } from './users-page.tsx'

/** One person, for the operator: activity, usage, credentials, export and erasure. */
export const PersonView = () => {
  const { t } = useTranslation('users')
  const { did = '' } = useParams({ strict: false }) as { readonly did?: string }
  const mayRead = useAccess().may('operator/read')
  const api = useApi()
  const person = useQuery({
    queryKey: ['/operator/people', did],
    queryFn: ({ signal }) => api.get(`/operator/people/${encodeURIComponent(did)}`, { schema: personDetails, signal }),
    enabled: mayRead,
  })
  return (
    <UsersPage title={person.data?.names[0]?.name ?? t('person.title')}>
      {mayRead ? (
        <QueryStates query={person}>{data => <Person person={data} refetch={person.refetch} />}</QueryStates>
      ) : (
        <NotAllowedState ability="operator/read" />
      )}
    </UsersPage>
  )
}

const Person = ({ person, refetch }: { readonly person: PersonDetails; readonly refetch: () => Promise<unknown> }) => {
  const { t } = useTranslation('users')
  const { has, may } = useAccess()
  const { did } = person
  return (
    <Stack gap="md" maw={960}>
      <Group justify="space-between">
        <div>
          <Did value={did} />
          {person.names.map(({ name, chosenBy }) => (
            <Text key={name} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>: {t(`person.by.${chosenBy}`)}
            </Text>
          ))}
        </div>
        {may('operator/write') && <EndAccess did={did} />}
      </Group>
      <Facts person={person} />
      <TokenPlot person={person} />
      {person.apiKeys > 0 && <PersonKeys did={did} onChanged={() => void refetch()} />}
      <PersonTurns key={did} did={did} />
      {has('credits') && <PersonSpending did={did} />}
      <PersonSignIns did={did} />
      <PersonGrants did={did} />
      <Data did={did} />
    </Stack>
  )
}

const Facts = ({ person }: { readonly person: PersonDetails }) => {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const { firstActivityAt, lastActivityAt, tokensToday, tokenBudget } = person
  const facts = [
    ['lastActive', lastActivityAt ? <RelativeTime key="last" value={lastActivityAt} /> : t('never')],
    ['since', firstActivityAt ? <RelativeTime key="first" value={firstActivityAt} /> : '–'],
    ['sessions', number(person.sessions)],
    [
      'tokensToday',
      tokenBudget === undefined ? number(tokensToday) : `${number(tokensToday)} / ${number(tokenBudget)}`,
    ],
    ['pending', number(person.pendingApprovals)],
    ['keys', number(person.apiKeys)],
    ['delegations', number(person.delegations)],
  ] as const
  return (
    <Section title={t('person.activity')}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" component="dl" m={0}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed" component="dt">
              {t(`person.${name}`)}
            </Text>
            <Text component="dd" m={0}>
              {value}
            </Text>
          </div>
        ))}
        {person.channels.length > 0 && (
          <div>
            <Text size="xs" c="dimmed" component="dt">
              {t('people.channels')}
            </Text>
            <Text component="dd" m={0}>
              <Channels channels={person.channels} />
            </Text>
          </div>
        )}
      </SimpleGrid>
      <CommandHint commands={[`GET /operator/people/${person.did}`]} />
    </Section>
  )
}

const daySeconds = 86_400

const TokenPlot = ({ person }: { readonly person: PersonDetails }) => {
  const { t } = useTranslation('users')
  const { short } = useFormat()
  const used = new Map(person.tokens.map(({ day, tokens }) => [Date.parse(day) / 1000, tokens]))
  if (used.size === 0) return null
  const last = Math.floor(Date.now() / 1000 / daySeconds) * daySeconds
  const first = Math.min(...used.keys(), last - 6 * daySeconds)
  const times = Array.from({ length: (last - first) / daySeconds + 1 }, (_, day) => first + day * daySeconds)
  return (
    <TimePlot
      title={t('person.tokensByDay')}
      times={times}
      series={[{ label: t('person.tokens'), values: times.map(time => used.get(time) ?? 0) }]}
      format={short}
      byDay
    />
  )
}

const PersonKeys = ({ did, onChanged }: { readonly did: string; readonly onChanged: () => void }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const keys = useAfterPages('/api-keys', 'keys', {
    schema: authSchemas.apiKeyList.shape.keys.element,
    keyOf: ({ id }) => id,
    query: { as: 'operator', did },
  })
  return (
    <Section title={t('keys.title')}>
      <ApiKeysTable
        keys={keys}
        {...(may('operator/write') && {
          onRevoke: async (id: string) => {
            await api.delete(`/api-keys/${id}`, { query: { as: 'operator' } })
            keys.refetch()
            onChanged()
          },
        })}
      />
    </Section>
  )
}

const PersonSignIns = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  return (
    <Section title={t('signIns.title')}>
      <OperatorSignIns did={did} />
    </Section>
  )
}

/** Characters at the end of a DID that confirm its erasure. */
const confirmed = 8

const Data = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const navigate = useNavigate()
  const path = `/people/${encodeURIComponent(did)}`
  return (
    <Section title={t('person.data')} description={t('person.dataHint')}>
      <Group gap="xs">
        <ExportButton path={`${path}/export`} file="person.json" />
        {may('operator/write') && (
          <ConfirmButton
            label={t('own.erase')}
            title={t('person.eraseTitle')}
            typed={did.slice(-confirmed)}
            color="red"
            variant="light"
            onConfirm={async () => {
              await api.delete(path)
              await navigate({ to: '/users/people' })
            }}
          >
            <Text size="sm">{t('person.eraseEffect')}</Text>
            <Text size="sm">{t('person.eraseTyped')}</Text>
          </ConfirmButton>
        )}
      </Group>
      <CommandHint
        commands={[`npx sibyl people export ${shellText(did)}`, `npx sibyl people erase ${shellText(did)}`]}
      />
    </Section>
  )
}
