import { Badge, Button, Stack, Text } from '@mantine/core'
import { type CollectionRecord, collectionRecord } from '@sibyl/plugin-claims/records'
import { FolderCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useFormat } from '../../components/use-format.ts'
import { useNotify } from '../../components/use-notify.ts'
import { usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { useOracleRecord } from '../../session/use-oracle-record.ts'
import { NamedDid } from '../parts/links.tsx'
import { NewCollection } from './new-collection.tsx'

/** The collections that claims belong to, with their windows and quotas. */
export const CollectionsView = () => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const { may } = useAccess()
  const { data: oracle } = useOracleRecord()
  const pages = usePages('v1/collections', 'collections', { limit: 50 }, { schema: collectionRecord })
  const columns = useColumns(pages.refetch)
  // Where callers choose their abilities, the oracle requires an operator.
  const mayCreate = may('claims/manage') && (may('operator/write') || oracle?.access === 'delegated')
  const create = mayCreate && <NewCollection onCreated={pages.refetch} />
  return (
    <Page
      title={t('collections.title')}
      description={t('collections.description')}
      actions={pages.items.length > 0 ? create : undefined}
    >
      <PageStates
        pages={pages}
        empty={
          <EmptyState icon={<FolderCheck size={28} aria-hidden />} title={t('collections.none')}>
            <Note>{t('collections.noneRemedy')}</Note>
            {create}
          </EmptyState>
        }
      >
        <DataTable
          label={t('collections.title')}
          columns={columns}
          rows={pages.items}
          rowKey={({ id }) => id}
          rowHeight={64}
          pages={pages}
        />
      </PageStates>
      <CommandHint commands={[curl('POST', api.url('v1/collections'), { title: 'Season 2027' })]} />
    </Page>
  )
}

type Window = 'open' | 'early' | 'over' | 'closed'

const windowOf = ({ closed, opensAt, closesAt }: CollectionRecord): Window => {
  if (closed) return 'closed'
  if (opensAt !== undefined && Date.parse(opensAt) > Date.now()) return 'early'
  return closesAt !== undefined && Date.parse(closesAt) <= Date.now() ? 'over' : 'open'
}

const colors = { open: 'teal', early: 'blue', over: 'gray', closed: 'gray' } as const

const useColumns = (onChanged: () => void): readonly Column<CollectionRecord>[] => {
  const { t } = useTranslation('twins')
  const format = useFormat()
  const taken = ({ taken, quota }: CollectionRecord) =>
    quota.all === undefined
      ? t('collections.taken', { count: taken })
      : t('collections.takenOf', { taken: format.number(taken), all: format.number(quota.all) })
  const state = (collection: CollectionRecord) => {
    const window = windowOf(collection)
    const at = window === 'early' ? collection.opensAt : collection.closesAt
    return (
      <Stack gap={0} align="flex-start">
        <Badge variant="dot" color={colors[window]} tt="none" fw={500}>
          {t(`collections.windows.${window}`)}
        </Badge>
        {at !== undefined && window !== 'closed' && (
          <Text size="xs" c="dimmed">
            {t(window === 'early' ? 'collections.from' : 'collections.until', {
              time: format.dateTime(Date.parse(at)),
            })}
          </Text>
        )}
      </Stack>
    )
  }
  return [
    {
      key: 'title',
      header: t('collections.name'),
      cell: (collection, isNarrow) => (
        <Stack gap={0} align="flex-start">
          <Text size="sm" w="100%" truncate title={collection.title}>
            {collection.title}
          </Text>
          {isNarrow ? (
            <>
              {state(collection)}
              <Text size="xs" c="dimmed">
                {taken(collection)}
              </Text>
            </>
          ) : (
            collection.protocol !== undefined && <NamedDid did={collection.protocol} />
          )}
        </Stack>
      ),
    },
    { key: 'state', header: t('collections.state'), width: '13rem', wideOnly: true, cell: state },
    {
      key: 'taken',
      header: t('collections.claims'),
      width: '9rem',
      wideOnly: true,
      cell: collection => <Text size="sm">{taken(collection)}</Text>,
    },
    {
      key: 'evaluation',
      header: t('collections.evaluation'),
      width: '8rem',
      wideOnly: true,
      cell: ({ evaluation }) => <Text size="sm">{t(`collections.evaluations.${evaluation}`)}</Text>,
    },
    {
      key: t('collections.actions'),
      header: '',
      width: '6.5rem',
      cell: collection => <CloseButton collection={collection} onChanged={onChanged} />,
    },
  ]
}

/** Closes a collection of the user, or opens it again. */
const CloseButton = ({
  collection: { id, closed, controller },
  onChanged,
}: {
  readonly collection: CollectionRecord
  readonly onChanged: () => void
}) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const notify = useNotify()
  const access = useAccess()
  if (controller !== access.did || !access.may('claims/manage')) return null
  const change = async () => {
    try {
      await api.patch(`v1/collections/${id}`, { body: { closed: !closed }, schema: collectionRecord })
      onChanged()
    } catch (error) {
      notify.failed(error)
    }
  }
  return (
    <Button size="compact-xs" variant="default" onClick={() => void change()}>
      {t(closed ? 'collections.open' : 'collections.close')}
    </Button>
  )
}
