import { Group, Select, TextInput } from '@mantine/core'
import { claimRecord, collectionRecord } from '@sibyl/plugin-claims/records'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { Page } from '../../components/page.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { EmptyState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { ClaimRows } from './claim-rows.tsx'
import { type ClaimSearch, claimQuery, filtersFor } from './claim-search.ts'

/** The claims that wait for the user, and all others that the user may see. */
export const ClaimsView = () => {
  const { t } = useTranslation('twins')
  const filters = filtersFor(useAccess())
  const given = useSearch({ strict: false }) as ClaimSearch
  const search = { ...given, show: given.show ?? filters[0] }
  const navigate = useNavigate()
  const change = (next: ClaimSearch) =>
    void navigate({ to: '/twins/claims', search: { ...search, ...next }, replace: true })
  return (
    <Page title={t('claims.title')} description={t('claims.description')}>
      <ClaimFilters search={search} filters={filters} onChange={change} />
      <ClaimList search={search} />
    </Page>
  )
}

const ClaimFilters = ({
  search,
  filters,
  onChange,
}: {
  readonly search: ClaimSearch
  readonly filters: ReturnType<typeof filtersFor>
  readonly onChange: (next: ClaimSearch) => void
}) => {
  const { t } = useTranslation('twins')
  const collections = usePages('v1/collections', 'collections', { limit: 100 }, { schema: collectionRecord })
  const [asset, setAsset] = useState(search.asset ?? '')
  useEffect(() => setAsset(search.asset ?? ''), [search.asset])
  const { order } = claimQuery(search)
  return (
    <Group
      component="form"
      gap="xs"
      align="flex-end"
      onSubmit={event => {
        event.preventDefault()
        onChange({ asset: asset.trim() })
      }}
    >
      <Select
        label={t('claims.show')}
        size="xs"
        w="12rem"
        allowDeselect={false}
        value={search.show ?? null}
        data={filters.map(value => ({ value, label: t(`claims.filters.${value}`) }))}
        onChange={value => onChange({ show: value as ClaimSearch['show'], order: undefined })}
      />
      <Select
        label={t('claims.collection')}
        size="xs"
        w="14rem"
        clearable
        searchable
        value={search.collection ?? null}
        data={collections.items.map(({ id, title }) => ({ value: id, label: title }))}
        onChange={value => onChange({ collection: value ?? '' })}
      />
      <Select
        label={t('claims.order')}
        size="xs"
        w="9rem"
        allowDeselect={false}
        value={order}
        data={(['oldest', 'newest'] as const).map(value => ({ value, label: t(`claims.orders.${value}`) }))}
        onChange={value => onChange({ order: (value ?? 'oldest') as ClaimSearch['order'] })}
      />
      <TextInput
        label={t('claims.asset')}
        placeholder="did:web:…"
        size="xs"
        flex="1 1 12rem"
        value={asset}
        onChange={event => setAsset(event.currentTarget.value)}
      />
    </Group>
  )
}

const ClaimList = ({ search }: { readonly search: ClaimSearch }) => {
  const api = useApi()
  const pages = usePages('v1/claims', 'claims', { ...claimQuery(search), limit: 100 }, { schema: claimRecord })
  return (
    <PageStates pages={pages} empty={<NoClaims isMine={search.show === 'mine'} />}>
      <ClaimRows pages={pages} />
      <CommandHint commands={[curl('GET', api.url('v1/claims', claimQuery(search)))]} />
    </PageStates>
  )
}

const NoClaims = ({ isMine }: { readonly isMine: boolean }) => {
  const { t } = useTranslation('twins')
  return (
    <EmptyState icon={<FileCheck size={28} aria-hidden />} title={t(isMine ? 'claims.noneMine' : 'claims.none')}>
      {t(isMine ? 'claims.noneMineRemedy' : 'claims.noneRemedy')}
    </EmptyState>
  )
}
