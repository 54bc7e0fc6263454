import '@xyflow/react/dist/style.css'
import { useComputedColorScheme } from '@mantine/core'
import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import {
  Background,
  BackgroundVariant,
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
import { useFormat } from '../../components/use-format.ts'
import { screenTitle } from '../parts/screen-title.ts'
import classes from './flow-graph.module.css'
import { exitNode, layoutFlow, nodeSize } from './layout-flow.ts'
import { type Counts, countOf, type Heat, heatOf, type Metric, noCounts, shareOf } from './screen-counts.ts'

type ScreenNode = Node<
  {
    readonly title: string
    readonly kind: string
    readonly facts: string
    readonly heat: Heat
    readonly isStart: boolean
    /** Its place in the call: on its path, or where the call is. */
    readonly passed: 'yes' | 'now' | undefined
  },
  'screen'
>

/** The menus as a graph, each screen colored by the share of sessions that stop there. Its table has the same content. */
export const FlowGraph = ({
  flow,
  counts,
  metric,
  language,
  selected,
  path = noPath,
  onSelect,
}: {
  readonly flow: FlowRecord
  readonly counts: ReadonlyMap<string, Counts>
  readonly metric: Metric
  readonly language: string
  readonly selected: string | undefined
  /** The screens of a call, in order: they and the ways between them are lit. */
  readonly path?: readonly string[]
  readonly onSelect: (screen: string) => void
}) => {
  const { t } = useTranslation('phone')
  const { number, percent } = useFormat()
  const scheme = useComputedColorScheme('light')
  const place = useMemo(() => layoutFlow(flow), [flow])
  const nodes = useMemo((): ScreenNode[] => {
    const screens = [
      ...flow.nodes.map(node => ({ id: node.id, title: screenTitle(node, language), kind: t(`kind.${node.kind}`) })),
      ...(place.positions.has(exitNode) ? [{ id: exitNode, title: t('flow.exit'), kind: '' }] : []),
    ]
    return screens.map(({ id, title, kind }) => {
      const counted = counts.get(id) ?? noCounts
      const share = shareOf(counted, metric)
      const stops = countOf(counted, metric)
      const facts = [
        t('flow.shown', { count: counted.entered, number: number(counted.entered) }),
        ...(stops > 0 ? [t('flow.of', { number: number(stops), share: percent(share) })] : []),
      ].join(' · ')
      return {
        id,
        type: 'screen',
        position: { ...(place.positions.get(id) ?? { x: 0, y: 0 }) },
        data: {
          title,
          kind,
          facts,
          heat: heatOf(share),
          isStart: id === flow.start,
          passed: id === path.at(-1) ? 'now' : path.includes(id) ? 'yes' : undefined,
        },
        ...nodeSize,
        selected: id === selected,
      }
    })
  }, [flow, counts, metric, language, selected, path, place, t, number, percent])
  const titles = useMemo(() => new Map(nodes.map(({ id, data }) => [id, data.title])), [nodes])
  const edges = useMemo(
    (): Edge[] =>
      place.edges.map(({ id, from, to, edges: ways, isShortest }) => {
        const keys = [...new Set(ways.flatMap(({ key }) => key ?? []))].join(', ')
        const isPassed = path.some((screen, index) => screen === from && path[index + 1] === to)
        const isNear = isPassed || (selected !== undefined && (from === selected || to === selected))
        return {
          id,
          source: from,
          target: to,
          ...(keys === '' || !(isShortest || isNear) ? {} : { label: keys }),
          ariaLabel: `${titles.get(from) ?? from} → ${titles.get(to) ?? to}`,
          className: (isPassed ? classes.passed : isNear ? classes.near : isShortest ? '' : classes.across) ?? '',
          zIndex: isNear ? 1 : 0,
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
        }
      }),
    [place, selected, path, titles],
  )
  return (
    <section className={classes.canvas} data-path={path.length > 0 || undefined} aria-label={t('flow.graph')}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        defaultViewport={firstView(place.positions.get(flow.start))}
        fitView={path.length > 0}
        fitViewOptions={{ nodes: path.map(id => ({ id })), maxZoom: 0.9, padding: 0.3 }}
        minZoom={0.15}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable
        zoomOnScroll={false}
        preventScrolling={false}
        panOnScroll={false}
        onNodeClick={(_, node) => onSelect(node.id)}
        proOptions={{ hideAttribution: true }}
        ariaLabelConfig={{
          'controls.ariaLabel': t('flow.controls'),
          'controls.zoomIn.ariaLabel': t('flow.zoomIn'),
          'controls.zoomOut.ariaLabel': t('flow.zoomOut'),
          'controls.fitView.ariaLabel': t('flow.fit'),
        }}
      >
        <Background variant={BackgroundVariant.Dots} gap={18} size={1} />
        <Controls showInteractive={false} fitViewOptions={{ padding: 0.04 }} />
      </ReactFlow>
    </section>
  )
}

const ScreenBox = ({ data, selected }: NodeProps<ScreenNode>) => (
  <div
    className={classes.node}
    data-heat={data.heat}
    data-selected={selected || undefined}
    data-start={data.isStart || undefined}
    data-passed={data.passed}
    aria-current={data.passed === 'now' ? 'step' : undefined}
  >
    <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle ?? ''} />
    <div className={classes.title} title={data.title}>
      {data.title}
    </div>
    <div className={classes.kind}>{data.kind}</div>
    <div className={classes.facts}>{data.facts}</div>
    <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle ?? ''} />
  </div>
)

const noPath: readonly string[] = []

/** Returns the view that has the start on the left, in the middle of the height. */
const firstView = ({ x, y } = { x: 0, y: 0 }) => {
  const zoom = 0.8
  const height = Math.max(384, innerHeight - 320)
  return { x: 16 - x * zoom, y: height / 2 - (y + nodeSize.height / 2) * zoom, zoom }
}

const nodeTypes = { screen: ScreenBox }
