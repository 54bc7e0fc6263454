import { Button, Group, SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../components/lazy-part.ts'
import { Page } from '../../components/page.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useAccess } from '../../session/console-context.tsx'
import { EntityFilters } from './entity-filters.tsx'
import { RegisterEntity } from './entity-forms.tsx'
import { type EntitySearch, entityViews } from './entity-search.ts'
import { EntityTable } from './entity-table.tsx'
import { ExportEntities } from './export-entities.tsx'

const EntityMap = lazyPart(() => import('../map/entity-map.tsx'), 'EntityMap')
const EntityGraph = lazyPart(() => import('../graph/entity-graph.tsx'), 'EntityGraph')

/** Entities as a table, a graph or a map. */
export const EntitiesView = () => {
  const { t } = useTranslation('twins')
  const search = useSearch({ strict: false }) as EntitySearch
  const navigate = useNavigate()
  const access = useAccess()
  const view = search.view ?? 'table'
  const change = (next: EntitySearch) =>
    void navigate({ to: '/twins/entities', search: { ...search, ...next }, replace: true })
  return (
    <Page
      title={t('entities.title')}
      description={t('entities.description')}
      actions={
        <Group gap="xs">
          {access.may('entities/write') && (
            <>
              <RegisterEntity />
              <Button size="xs" variant="default" renderRoot={props => <Link to="/twins/entities/import" {...props} />}>
                {t('import.open')}
              </Button>
            </>
          )}
          <ExportEntities search={search} />
          <SegmentedControl
            size="xs"
            value={view}
            onChange={value => change({ view: value as (typeof entityViews)[number] })}
            data={entityViews.map(value => ({ value, label: t(`entities.views.${value}`) }))}
            aria-label={t('entities.view')}
          />
        </Group>
      }
    >
      {view !== 'graph' && <EntityFilters search={search} onChange={change} forMap={view === 'map'} />}
      <Suspense fallback={<LoadingState />}>
        {view === 'table' && <EntityTable search={search} />}
        {view === 'map' && <EntityMap type={search.type} />}
        {view === 'graph' && <EntityGraph from={search.from} onStart={from => change({ from })} />}
      </Suspense>
    </Page>
  )
}
