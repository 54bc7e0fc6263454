import { Alert, Badge, Button, Code, Group, List, Stack, Table, Text } from '@mantine/core'
import {
  type EntityEventRecord,
  type EntityRecord,
  entityRecord,
  historyRecord,
  type ProofRecord,
  proofRecord,
} from '@sibyl/plugin-entities/records'
import type { JsonValue } from '@sibyl/protocol'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { Did } from '../../components/did.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { saveJson } from '../../components/save-file.ts'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useApi } from '../../session/console-context.tsx'
import { NamedDid } from '../parts/links.tsx'
import { Value } from '../parts/value-table.tsx'
import { differences } from './differences.ts'

/** The changes of an entity, and the verification of their signed chain. */
export const EntityHistory = ({ entity }: { readonly entity: EntityRecord }) => (
  <Stack gap="md">
    <ProofSection entity={entity} />
    <Events entity={entity} />
  </Stack>
)

const ProofSection = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const path = `v1/entities/${encodeURIComponent(entity.did)}/proof`
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['proof', entity.did, entity.version],
    queryFn: ({ signal }) => api.get(path, { schema: proofRecord, signal }),
    staleTime: 300_000,
  })
  return (
    <Section
      title={t('history.proof')}
      actions={
        data && (
          <Button size="compact-xs" variant="default" onClick={() => saveJson(data, 'proof.json')}>
            {t('history.downloadProof')}
          </Button>
        )
      }
    >
      {isPending && <LoadingState />}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {data && <Verdict proof={data} />}
      <CommandHint commands={[curl('GET', api.url(path))]} />
    </Section>
  )
}

const Verdict = ({ proof }: { readonly proof: ProofRecord }) => {
  const { t } = useTranslation('twins')
  const { verified, fault, links, checks, next, unchecked } = proof
  const signers = [...new Set(links.map(({ signer }) => signer))]
  const count = links.length
  return (
    <Alert
      variant="light"
      color={verified ? 'brand' : 'red'}
      icon={verified ? <ShieldCheck size={18} aria-hidden /> : <ShieldX size={18} aria-hidden />}
      title={verified ? t('history.verified') : t('history.broken')}
      mb="sm"
    >
      <Stack gap="xs">
        <Text size="sm">
          {verified
            ? t(next === undefined ? 'history.allLinks' : 'history.someLinks', { count })
            : fault?.check === 'entity'
              ? t('history.otherState')
              : t('history.invalidLink', { version: fault?.version ?? 0, check: fault?.check ?? '' })}
          {unchecked !== undefined && ` ${t('history.unchecked')}`}
        </Text>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {t('history.signedBy')}
          </Text>
          {signers.map(signer => (
            <Did key={signer} value={signer} />
          ))}
        </Group>
        <details>
          <summary>{t('history.whatWasChecked')}</summary>
          <List size="sm" mt={4} lang="en">
            {checks.map(check => (
              <List.Item key={check}>{check}</List.Item>
            ))}
          </List>
        </details>
      </Stack>
    </Alert>
  )
}

const Events = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation(['twins', 'common'])
  const api = useApi()
  const path = `v1/entities/${encodeURIComponent(entity.did)}/history`
  const pages = useInfiniteQuery({
    queryKey: ['history', entity.did, entity.version],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get(path, { schema: historyRecord, query: { limit: 25, before: pageParam }, signal }),
    getNextPageParam: page => page.next,
  })
  if (pages.isPending) return <LoadingState />
  if (pages.error) return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  const events = pages.data.pages.flatMap(page => page.events)
  return (
    <Section title={t('history.changes')}>
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {events.map((event, index) => (
          <Event key={event.version} entity={entity} event={event} earlier={events[index + 1]} />
        ))}
      </Stack>
      {pages.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('common:action.more')}
        </Button>
      )}
    </Section>
  )
}

const Event = ({
  entity,
  event,
  earlier,
}: {
  readonly entity: EntityRecord
  readonly event: EntityEventRecord
  readonly earlier: EntityEventRecord | undefined
}) => {
  const { t } = useTranslation('twins')
  const [isOpen, setOpen] = useState(false)
  const { version, kind, at, by, hash, erasedAt } = event
  return (
    <li>
      <Group gap="xs">
        <Badge variant="default" size="sm">
          {version}
        </Badge>
        <Text size="sm" fw={500}>
          {t(`history.kinds.${kind}`)}
        </Text>
        <Text size="sm" c="dimmed" component="span">
          <RelativeTime value={at} />
        </Text>
        <NamedDid did={by} />
        <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('history.differences')}
        </Button>
      </Group>
      {isOpen && (
        <Stack gap="xs" mt="xs" mb="sm" pl="md">
          {erasedAt !== undefined && <Text size="sm">{t('history.erased')}</Text>}
          <EventDifferences entity={entity} event={event} earlier={earlier} />
          <Text size="xs" c="dimmed">
            {t('history.hash')} <Code>{hash}</Code>
          </Text>
        </Stack>
      )}
    </li>
  )
}

/** Members that every change has, or that a list of changes shows already. */
const quiet = new Set(['version', 'updatedAt', 'createdAt', 'did'])

const EventDifferences = ({ entity, event, earlier }: Parameters<typeof Event>[0]) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const path = `v1/entities/${encodeURIComponent(entity.did)}`
  const { data, error, isPending } = useQuery({
    queryKey: ['state-at', entity.did, event.at, earlier?.at],
    queryFn: async ({ signal }) => {
      const at = (time: string) => api.get(path, { schema: entityRecord, query: { at: time }, signal })
      const [after, before] = await Promise.all([at(event.at), earlier ? at(earlier.at) : undefined])
      return differences(shown(before), shown(after))
    },
    enabled: event.version === 1 || earlier !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (event.version > 1 && earlier === undefined) return <Value value={event.change} />
  if (isPending) return <LoadingState />
  if (error) return <ErrorState error={error} />
  if (data.length === 0) return <Value value={event.change} />
  return (
    <Table.ScrollContainer minWidth={320} tabIndex={0}>
      <Table withTableBorder verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('history.member')}</Table.Th>
            <Table.Th>{t('history.before')}</Table.Th>
            <Table.Th>{t('history.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ path: member, before, after }) => (
            <Table.Tr key={member}>
              <Table.Td>{member}</Table.Td>
              <Table.Td>
                <Value value={before} />
              </Table.Td>
              <Table.Td>
                <Value value={after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const shown = (record: EntityRecord | undefined): JsonValue | undefined =>
  record && (Object.fromEntries(Object.entries(record).filter(([name]) => !quiet.has(name))) as JsonValue)
