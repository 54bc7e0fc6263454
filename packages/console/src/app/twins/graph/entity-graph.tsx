import '@xyflow/react/dist/style.css'
import { Button, Group, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core'
import type { EntityRecord } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
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
import { useEffect, useMemo, useState } from 'react'
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
  const read = (from: string, signal?: AbortSignal) =>
    api.get<Subgraph>('v1/graph', { query: { from, depth: 1 }, ...(signal ? { signal } : {}) })
  const { data, error, refetch } = useQuery({
    queryKey: ['graph', start],
    queryFn: ({ signal }) => read(start, signal),
  })
  const [graph, setGraph] = useState<Subgraph>()
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set([start]))
  const [selected, setSelected] = useState(start)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    if (data)
      setGraph(before => (before ? merged(before, data) : merged({ nodes: [], edges: [], truncated: false }, data)))
  }, [data])
  const expand = async (id: string) => {
    setSelected(id)
    if (expanded.has(id)) return
    try {
      const more = await read(id)
      setExpanded(before => new Set([...before, id]))
      setGraph(before => before && merged(before, more))
      setFailure(undefined)
    } catch (reason) {
      setFailure(reason)
    }
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!graph) return <LoadingState />
  const chosen = graph.nodes.find(node => idOf(node) === selected)
  return (
    <Stack gap="sm">
      <Picture graph={graph} selected={selected} expanded={expanded} onSelect={id => void expand(id)} />
      {failure !== undefined && <ErrorState error={failure} />}
      {graph.truncated && (
        <Text size="sm" role="status">
          {t('graph.truncated')}
        </Text>
      )}
      {chosen && <Selected node={chosen} graph={graph} onSelect={id => void expand(id)} />}
      <CommandHint commands={[curl('GET', api.url('v1/graph', { from: selected, depth: 1 }))]} />
    </Stack>
  )
}

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
  readonly expanded: ReadonlySet<string>
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
      data: { node, isExpanded: expanded.has(id) },
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
