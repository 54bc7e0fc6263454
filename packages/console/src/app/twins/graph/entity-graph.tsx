import { Autocomplete, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { entityHits, entityRecord, type GraphRecord, graphRecord } from '@sibyl/plugin-entities/records'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Network } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useApi } from '../../session/console-context.tsx'
import { labelOf, nameOf } from '../parts/entity-label.ts'
import { merged } from './graph-model.ts'
import { GraphPicture } from './graph-picture.tsx'
import { SelectedNode } from './selected-node.tsx'

/** The graph around an entity; each node can be expanded. */
export const EntityGraph = ({
  from,
  onStart,
}: {
  readonly from: string | undefined
  readonly onStart: (did: string) => void
}) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const newest = useQuery({
    queryKey: ['newest-entity'],
    queryFn: ({ signal }) =>
      api.get('v1/entities', { schema: z.object({ entities: z.array(entityRecord) }), query: { limit: 1 }, signal }),
    enabled: from === undefined,
  })
  const start = from ?? newest.data?.entities[0]?.did
  return (
    <Stack gap="sm">
      <StartPicker onPick={onStart} />
      {newest.error && <ErrorState error={newest.error} />}
      {start === undefined ? (
        newest.data && (
          <EmptyState icon={<Network size={28} aria-hidden />} title={t('entities.none')}>
            {t('entities.noneRemedy')}
          </EmptyState>
        )
      ) : (
        <GraphFrom key={start} start={start} />
      )}
    </Stack>
  )
}

const GraphFrom = ({ start }: { readonly start: string }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const [expanded, setExpanded] = useState<readonly string[]>([start])
  const [selected, setSelected] = useState(start)
  const { graph, error, retry } = useQueries({
    queries: expanded.map(from => ({
      queryKey: ['graph', from],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.get('v1/graph', { schema: graphRecord, query: { from, depth: 1 }, signal }),
      refetchOnWindowFocus: false,
    })),
    combine,
  })
  const expand = (id: string) => {
    setSelected(id)
    if (!expanded.includes(id)) setExpanded([...expanded, id])
  }
  if (graph.nodes.length === 0) return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />
  const isClaim = graph.nodes.some(node => 'uri' in node && node.uri === selected && node.kind === 'claim')
  return (
    <Stack gap="sm">
      <GraphPicture graph={graph} selected={selected} expanded={expanded} onSelect={expand} />
      {error && <ErrorState error={error} onRetry={retry} />}
      {graph.truncated && (
        <Text size="sm" role="status">
          {t('graph.truncated')}
        </Text>
      )}
      <SelectedNode key={selected} id={selected} isClaim={isClaim} onSelect={expand} />
      <CommandHint commands={[curl('GET', api.url('v1/graph', { from: selected, depth: 1 }))]} />
    </Stack>
  )
}

/** Joins the neighborhoods of the expanded nodes, and the reason why one could not be read. */
const combine = (parts: readonly UseQueryResult<GraphRecord>[]) => {
  const failed = parts.find(({ isLoadingError }) => isLoadingError)
  return {
    graph: parts.reduce<GraphRecord>((graph, { data }) => (data ? merged(graph, data) : graph), noGraph),
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

const noGraph: GraphRecord = { nodes: [], edges: [], truncated: false }

/** Finds the entity that a graph starts from. */
const StartPicker = ({ onPick }: { readonly onPick: (did: string) => void }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), 250)
  const { data } = useQuery({
    queryKey: ['v1/search', words, 'start'],
    queryFn: ({ signal }) => api.get('v1/search', { schema: entityHits, query: { q: words, limit: 20 }, signal }),
    enabled: words !== '',
  })
  const own = (data?.hits ?? []).flatMap(({ did, type, entity }) =>
    entity ? [{ value: did, label: `${labelOf(nameOf(entity), type, did)} (${type})` }] : [],
  )
  return (
    <Autocomplete
      label={t('graph.start')}
      placeholder={t('entities.searchHint')}
      size="xs"
      maw="28rem"
      value={text}
      onChange={setText}
      data={own}
      filter={({ options }) => options}
      onOptionSubmit={did => {
        onPick(did)
        setText('')
      }}
    />
  )
}
