import { Badge, Button, Group, Paper } from '@mantine/core'
import { neighborCounts, neighborRecord } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { DataTable } from '../../components/data-table.tsx'
import { Note } from '../../components/note.tsx'
import { PageStates } from '../../components/page-states.tsx'
import { QueryStates } from '../../components/query-states.tsx'
import { useFormat } from '../../components/use-format.ts'
import { usePages } from '../../components/use-pages.ts'
import { useApi } from '../../session/console-context.tsx'
import { ClaimLink, NamedDid } from '../parts/links.tsx'

type Counted = z.infer<typeof neighborCounts>['counts'][number]

/** The chosen node with all its relationships, counted and in pages: the graph for those who do not see the picture. */
export const SelectedNode = ({
  id,
  isClaim,
  onSelect,
}: {
  readonly id: string
  readonly isClaim: boolean
  readonly onSelect: (id: string) => void
}) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const api = useApi()
  const [asked, setAsked] = useState(0)
  const counts = useQuery({
    queryKey: ['v1/graph/counts', id],
    queryFn: ({ signal }) => api.get('v1/graph/counts', { schema: neighborCounts, query: { of: id }, signal }),
  })
  return (
    <Paper withBorder p="sm" aria-live="polite">
      <QueryStates query={counts}>
        {({ counts: groups }) => {
          const shown = groups[asked] ?? groups[0]
          const total = groups.reduce((sum, { count }) => sum + count, 0)
          return (
            <>
              <Group gap="xs" mb="xs">
                <NodeName id={id} isClaim={isClaim} />
                <Note>{t('graph.relationships', { count: total, value: number(total) })}</Note>
              </Group>
              <Group gap={6} mb="xs" role="group" aria-label={t('entity.relationships')}>
                {groups.map((group, index) => (
                  <Button
                    key={`${group.direction} ${group.relationship}`}
                    size="compact-xs"
                    variant={group === shown ? 'light' : 'default'}
                    aria-pressed={group === shown}
                    onClick={() => setAsked(index)}
                  >
                    {`${signs[group.direction]} ${group.relationship} ${number(group.count)}`}
                  </Button>
                ))}
              </Group>
              {shown && <Neighbors key={`${id} ${asked}`} of={id} group={shown} onSelect={onSelect} />}
            </>
          )
        }}
      </QueryStates>
    </Paper>
  )
}

/** Relationships of the generic chain that lead to claims. */
const toClaims = new Set(['out produces', 'out verifies', 'in becomes'])

const signs = { in: '←', out: '→' } as const

const Neighbors = ({
  of,
  group: { direction, relationship, types },
  onSelect,
}: {
  readonly of: string
  readonly group: Counted
  readonly onSelect: (id: string) => void
}) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const pages = usePages('v1/graph/neighbors', 'neighbors', { of, direction, relationship }, { schema: neighborRecord })
  return (
    <>
      <Group gap={6} mb={4}>
        {Object.entries(types).map(([type, count]) => (
          <Badge key={type} size="sm" variant="default" tt="none">
            {type} {number(count)}
          </Badge>
        ))}
      </Group>
      <PageStates pages={pages} empty={null}>
        <DataTable
          label={relationship}
          rows={pages.items}
          rowKey={({ id }) => id}
          rowHeight={36}
          maxHeight="16rem"
          pages={pages}
          columns={[
            {
              key: 'name',
              header: t('entities.name'),
              cell: ({ id }) => <NodeName id={id} isClaim={toClaims.has(`${direction} ${relationship}`)} />,
            },
            { key: 'type', header: t('entities.type'), width: '8rem', wideOnly: true, cell: ({ type }) => type },
            {
              key: t('graph.expand'),
              header: '',
              width: '7rem',
              cell: ({ id }) => (
                <Button size="compact-xs" variant="subtle" onClick={() => onSelect(id)}>
                  {t('graph.expand')}
                </Button>
              ),
            },
          ]}
        />
      </PageStates>
    </>
  )
}

/** A node by its name; a claim leads to its view. */
const NodeName = ({ id, isClaim }: { readonly id: string; readonly isClaim: boolean }) => {
  const { t } = useTranslation('twins')
  if (!isClaim) return <NamedDid did={id} />
  return <ClaimLink id={id.replace('urn:uuid:', '')}>{`${t('graph.kinds.claim')} …${id.slice(-6)}`}</ClaimLink>
}
