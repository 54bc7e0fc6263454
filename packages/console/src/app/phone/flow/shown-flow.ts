import type { FlowRecord } from '@sibyl/plugin-ussd/records'
import { exitNode } from './layout-flow.ts'
import type { Counts } from './screen-counts.ts'

/** Returns the menus without the screens that no caller has seen. @param path Screens that stay: those of a call */
export const shownFlow = (
  flow: FlowRecord,
  counts: ReadonlyMap<string, Counts>,
  path: readonly string[] = [],
): FlowRecord => {
  const isShown = (id: string) =>
    id === flow.start || id === exitNode || path.includes(id) || (counts.get(id)?.entered ?? 0) > 0
  return {
    ...flow,
    nodes: flow.nodes.filter(({ id }) => isShown(id)),
    edges: flow.edges.filter(({ from, to }) => isShown(from) && isShown(to)),
  }
}
