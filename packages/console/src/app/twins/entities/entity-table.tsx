import { Badge, Text } from '@mantine/core'
import { type EntityHit, entityHits, entityRecord } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import type { MorePages } from '../../components/use-load-more.ts'
import { usePages } from '../../components/use-pages.ts'
import { useApi } from '../../session/console-context.tsx'
import { nameOf } from '../parts/entity-label.ts'
import { EntityLink, NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'
import { type EntitySearch, entityQuery } from './entity-search.ts'

type Row = Partial<EntityHit> & Pick<EntityHit, 'did' | 'type'>

/** The entities that match the filters, newest first, or the results of a search, best first. */
export const EntityTable = ({ search }: { readonly search: EntitySearch }) => {
  const query = search.q ?? ''
  return query === '' ? <ListedEntities search={search} /> : <FoundEntities query={query} type={search.type} />
}

const ListedEntities = ({ search }: { readonly search: EntitySearch }) => {
  const filters = entityQuery(search)
  const pages = usePages(
    'v1/entities',
    'entities',
    { ...filters, limit: 100 },
    { schema: entityRecord, itemKey: ({ did }) => did },
  )
  const rows = pages.items.map((entity): Row => ({ did: entity.did, type: entity.type, entity }))
  const isNarrowed = Object.values(filters).some(Boolean)
  return (
    <PageStates pages={pages} empty={<NoEntities isNarrowed={isNarrowed} />}>
      <EntityRows rows={rows} pages={pages} />
    </PageStates>
  )
}

const FoundEntities = ({ query, type }: { readonly query: string; readonly type: string | undefined }) => {
  const api = useApi()
  const { t } = useTranslation('twins')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['v1/search', query, type],
    queryFn: ({ signal }) =>
      api.get('v1/search', {
        schema: entityHits,
        query: { q: query, type, limit: 100 },
        signal,
      }),
  })
  if (isPending) return <LoadingState />
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (data.hits.length === 0) return <NoEntities isNarrowed />
  return (
    <>
      {data.incomplete !== undefined && (
        <Text size="sm" role="status">
          {t('entities.incomplete', { reason: data.incomplete })}
        </Text>
      )}
      <EntityRows rows={data.hits} />
    </>
  )
}

const EntityRows = (props: { readonly rows: readonly Row[]; readonly pages?: MorePages }) => {
  const { t } = useTranslation('twins')
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      header: t('entities.name'),
      cell: ({ did, type, entity, excerpt }) => (
        <>
          {entity ? (
            <EntityLink did={did} type={type} name={nameOf(entity)} />
          ) : (
            <Text span size="sm">
              {did}
            </Text>
          )}
          {excerpt !== undefined && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {excerpt}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'type',
      header: t('entities.type'),
      width: '9.5rem',
      cell: ({ type, source }) => (
        <>
          {type}
          {source !== undefined && source !== 'local' && <Badge variant="default">{source}</Badge>}
        </>
      ),
    },
    {
      key: 'class',
      header: t('entities.class'),
      width: '9rem',
      wideOnly: true,
      cell: ({ entity }) => entity?.domainClass,
    },
    {
      key: 'controller',
      header: t('entities.controller'),
      width: '13rem',
      wideOnly: true,
      cell: ({ entity }) => entity && <NamedDid did={entity.controller} />,
    },
    {
      key: 'status',
      header: t('entities.status'),
      width: '8rem',
      wideOnly: true,
      cell: ({ entity }) => entity && <StatusBadge status={entity.status} />,
    },
    {
      key: 'updated',
      header: t('entities.updated'),
      width: '7.5rem',
      wideOnly: true,
      cell: ({ entity }) => entity && <RelativeTime value={entity.updatedAt} />,
    },
  ]
  return <DataTable label={t('entities.title')} columns={columns} rowKey={({ did }) => did} {...props} />
}

const NoEntities = ({ isNarrowed }: { readonly isNarrowed: boolean }) => {
  const { t } = useTranslation('twins')
  if (isNarrowed) return <EmptyState title={t('entities.noneFit')}>{t('entities.noneFitRemedy')}</EmptyState>
  return (
    <EmptyState icon={<Boxes size={28} aria-hidden />} title={t('entities.none')}>
      {t('entities.noneRemedy')}
    </EmptyState>
  )
}
