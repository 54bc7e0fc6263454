import type { GraphRecord } from '@sibyl/plugin-entities/records'
import '@xyflow/react/dist/style.css'
import { Paper, Text, useComputedColorScheme } from '@mantine/core'
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
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { labelOf } from '../parts/entity-label.ts'
import { useEntityName } from '../parts/names.tsx'
import { edgeId, type GraphNode, idOf, nodeSize, positionsOf } from './graph-model.ts'

type FlowNode = Node<{ readonly node: GraphNode; readonly isExpanded: boolean }, 'twin'>

const nodeTypes = { twin: (props: NodeProps<FlowNode>) => <TwinNode {...props} /> }

/** The graph as a picture: a click selects a node. */
export const GraphPicture = ({
  graph,
  selected,
  expanded,
  onSelect,
}: {
  readonly graph: GraphRecord
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
