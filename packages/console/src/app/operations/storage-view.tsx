import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { type StorageRecord, storageRecord } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { Database } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../components/data-table.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState, LoadingState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { Fact } from './fact.tsx'
import { OperationsPage } from './operations-page.tsx'

/** The tables of the database: what they store, and how fast they grow. */
export const StorageView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const storage = useQuery({
    queryKey: ['operator', 'storage'],
    queryFn: ({ signal }) => api.get('/operator/storage', { schema: storageRecord, signal }),
    enabled: useAccess().may('operator/read'),
    // The oracle responds after 2 s while it measures.
    refetchInterval: ({ state }) => (state.data?.isMeasuring ? 500 : 600_000),
  })
  return (
    <OperationsPage view="storage">
      <QueryStates query={storage}>
        {({ usage, measuredAt }) => {
          if (!usage || measuredAt === undefined) return <LoadingState />
          return usage.tables.length > 0 ? (
            <Tables usage={usage} measuredAt={measuredAt} />
          ) : (
            <EmptyState icon={<Database size={28} aria-hidden />} title={t('storage.none')}>
              {t('storage.noneReason')}
            </EmptyState>
          )
        }}
      </QueryStates>
    </OperationsPage>
  )
}

type Usage = NonNullable<StorageRecord['usage']>
type TableUsage = Usage['tables'][number]

const Tables = ({ usage, measuredAt }: { readonly usage: Usage; readonly measuredAt: string }) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const { engine, bytes, freeBytes, logBytes, tables } = usage
  const perDay = tables.reduce((sum, { bytesPerDay = 0 }) => sum + bytesPerDay, 0)
  const sizeNote =
    freeBytes === undefined || logBytes === undefined
      ? t('storage.estimates')
      : t('storage.file', { free: format.bytes(freeBytes), log: format.bytes(logBytes) })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <Fact label={t('storage.database', { engine: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL' })} note={sizeNote}>
          {format.bytes(bytes)}
        </Fact>
        <Fact label={t('storage.perDay')} note={t('storage.lastDays')}>
          {format.bytes(perDay)}
        </Fact>
        <Fact label={t('storage.inYear')} note={t('storage.withoutEnd')}>
          {format.bytes(inYear(bytes, perDay))}
        </Fact>
      </SimpleGrid>
      <DataTable label={t('storage.title')} columns={useColumns(tables)} rows={tables} rowKey={({ name }) => name} />
      <Text size="xs" c="dimmed">
        {t('storage.measured')} <RelativeTime value={measuredAt} />
      </Text>
    </>
  )
}

const inYear = (bytes: number, perDay: number): number => bytes + 365 * perDay

const useColumns = (tables: readonly TableUsage[]): readonly Column<TableUsage>[] => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const largest = Math.max(1, ...tables.map(({ bytes }) => bytes))
  const growing = (value: number | undefined) => (value === undefined ? '–' : format.bytes(value))
  return [
    {
      key: 'name',
      header: t('storage.table'),
      sort: ({ name }) => name,
      cell: ({ name }) => (
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
      ),
    },
    {
      key: 'bytes',
      header: t('storage.size'),
      width: '10rem',
      sort: ({ bytes }) => bytes,
      cell: ({ bytes, bytesPerDay }, isNarrow) => (
        <Stack gap={2}>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" w="5rem" ta="right">
              {format.bytes(bytes)}
            </Text>
            <Progress value={(100 * bytes) / largest} flex={1} size="sm" aria-hidden />
          </Group>
          {isNarrow && bytesPerDay !== undefined && bytesPerDay > 0 && (
            <Text size="xs" c="dimmed">
              {t('storage.growing', { bytes: format.bytes(bytesPerDay) })}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'rows',
      header: t('storage.rows'),
      width: '7rem',
      wideOnly: true,
      sort: ({ rows }) => rows,
      cell: ({ rows }) => <Text size="sm">{format.number(rows)}</Text>,
    },
    {
      key: 'perDay',
      header: t('storage.perDay'),
      width: '8rem',
      wideOnly: true,
      sort: ({ bytesPerDay = -1 }) => bytesPerDay,
      cell: ({ bytesPerDay }) => <Text size="sm">{growing(bytesPerDay)}</Text>,
    },
    {
      key: 'inYear',
      header: t('storage.inYear'),
      width: '8rem',
      wideOnly: true,
      sort: ({ bytes, bytesPerDay }) => (bytesPerDay === undefined ? -1 : inYear(bytes, bytesPerDay)),
      cell: ({ bytes, bytesPerDay }) => (
        <Text size="sm">{growing(bytesPerDay === undefined ? undefined : inYear(bytes, bytesPerDay))}</Text>
      ),
    },
  ]
}
