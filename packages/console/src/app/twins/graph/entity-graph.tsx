import '@xyflow/react/dist/style.css'
import { Button, Group, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core'
import type { EntityRecord } from '@sibyl/protocol'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { Network } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { Note } from '../../components/note.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useApi } from '../../session/console-context.tsx'
import { labelOf } from '../parts/entity-label.ts'
import { NamedDid } from '../parts/links.tsx'
import { useEntityName } from '../parts/names.tsx'
import { edgeId, type GraphNode, idOf, merged, nodeSize, positionsOf, type Subgraph } from './graph-model.ts'
import { StartPicker } from './start-picker.tsx'

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
      api.get<{ readonly entities: readonly EntityRecord[] }>('v1/entities', { query: { limit: 1 }, signal }),
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
        api.get<Subgraph>('v1/graph', { query: { from, depth: 1 }, signal }),
      refetchOnWindowFocus: false,
    })),
    combine,
  })
  const expand = (id: string) => {
    setSelected(id)
    if (!expanded.includes(id)) setExpanded([...expanded, id])
  }
  if (graph.nodes.length === 0) return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />
  const chosen = graph.nodes.find(node => idOf(node) === selected)
  return (
    <Stack gap="sm">
      <Picture graph={graph} selected={selected} expanded={expanded} onSelect={expand} />
      {error && <ErrorState error={error} onRetry={retry} />}
      {graph.truncated && (
        <Text size="sm" role="status">
          {t('graph.truncated')}
        </Text>
      )}
      {chosen && <Selected node={chosen} graph={graph} onSelect={expand} />}
      <CommandHint commands={[curl('GET', api.url('v1/graph', { from: selected, depth: 1 }))]} />
    </Stack>
  )
}

/** Joins the neighborhoods of the expanded nodes, and the reason why one could not be read. */
const combine = (parts: readonly UseQueryResult<Subgraph>[]) => {
  const failed = parts.find(({ isLoadingError }) => isLoadingError)
  return {
    graph: parts.reduce<Subgraph>((graph, { data }) => (data ? merged(graph, data) : graph), noGraph),
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

const noGraph: Subgraph = { nodes: [], edges: [], truncated: false }

type FlowNode = Node<{ readonly node: GraphNode; readonly isExpanded: boolean }, 'twin'>

const nodeTypes = { twin: (props: NodeProps<FlowNode>) => <TwinNode {...props} /> }

const Picture = ({
  graph,
  selected,
  expanded,
  onSelect,
}: {
  readonly graph: Subgraph
  readonly selected: string
  readonly expanded: readonly string[]
  readonly onSelect: (id: string) => void
}) => {
  const { t } = useTranslation('twins')
  const scheme = useComputedColorScheme('light')
  const positions = useMemo(() => positionsOf(graph), [graph])
  const nodes = graph.nodes.map((node): FlowNode => {
    const id = idOf(node)
    return {
      id,
      type: 'twin',
      position: positions.get(id) ?? { x: 0, y: 0 },
      data: { node, isExpanded: expanded.includes(id) },
      selected: id === selected,
      ...nodeSize,
    }
  })
  const edges = graph.edges.map(
    (edge): Edge => ({
      id: edgeId(edge),
      source: edge.from,
      target: edge.to,
      label: edge.relationship,
      markerEnd: { type: MarkerType.ArrowClosed },
      focusable: false,
    }),
  )
  return (
    <div style={{ height: 'min(60vh, 34rem)', border: '1px solid var(--mantine-color-default-border)' }}>
      <ReactFlow
        key={graph.nodes.length}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        deleteKeyCode={null}
        onNodeClick={(_, node) => onSelect(node.id)}
        onNodesChange={changes => {
          const chosen = changes.find(change => change.type === 'select' && change.selected)
          if (chosen && 'id' in chosen && chosen.id !== selected) onSelect(chosen.id)
        }}
        aria-label={t('graph.label')}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

const TwinNode = ({ data: { node, isExpanded }, selected = false }: NodeProps<FlowNode>) => {
  const { t } = useTranslation('twins')
  const known = useEntityName('did' in node ? node.did : undefined)
  const [title, kind] =
    'did' in node
      ? [labelOf(known?.name, node.type, node.did), node.type]
      : [`${t(`graph.kinds.${node.kind}`)} …${node.uri.slice(-6)}`, node.kind]
  return (
    <Paper
      withBorder
      h={nodeSize.height}
      px="xs"
      py={4}
      style={selected ? { borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 } : {}}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Text size="xs" fw={600} truncate>
        {title}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {kind}
        {isExpanded ? '' : ' +'}
      </Text>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </Paper>
  )
}

/** The chosen node with its relationships as a list: the graph for those who do not see the picture. */
const Selected = ({
  node,
  graph,
  onSelect,
}: {
  readonly node: GraphNode
  readonly graph: Subgraph
  readonly onSelect: (id: string) => void
}) => {
  const { t } = useTranslation('twins')
  const id = idOf(node)
  const edges = graph.edges.filter(({ from, to }) => from === id || to === id)
  return (
    <Paper withBorder p="sm" aria-live="polite">
      <Group gap="xs" mb={4}>
        {'did' in node ? <NamedDid did={node.did} /> : <OtherNode node={node} />}
        <Note>{t('graph.relationships', { count: edges.length })}</Note>
      </Group>
      <Stack component="ul" gap={2} m={0} p={0} mah="14rem" style={{ listStyle: 'none', overflow: 'auto' }}>
        {edges.slice(0, 100).map(edge => {
          const other = edge.from === id ? edge.to : edge.from
          const end = graph.nodes.find(one => idOf(one) === other)
          return (
            <Group key={edgeId(edge)} component="li" gap="xs">
              <Note>
                {edge.from === id ? '→' : '←'} {edge.relationship}
              </Note>
              {end && ('did' in end ? <NamedDid did={end.did} /> : <OtherNode node={end} />)}
              <Button size="compact-xs" variant="subtle" onClick={() => onSelect(other)}>
                {t('graph.expand')}
              </Button>
            </Group>
          )
        })}
      </Stack>
    </Paper>
  )
}

const OtherNode = ({ node }: { readonly node: Extract<GraphNode, { uri: string }> }) => {
  const { t } = useTranslation('twins')
  const label = `${t(`graph.kinds.${node.kind}`)} …${node.uri.slice(-6)}`
  if (node.kind !== 'claim') return <Text size="sm">{label}</Text>
  return (
    <Button
      size="compact-xs"
      variant="default"
      renderRoot={props => (
        <Link to="/twins/claims/$id" params={{ id: node.uri.replace('urn:uuid:', '') }} {...props} />
      )}
    >
      {label}
    </Button>
  )
}
