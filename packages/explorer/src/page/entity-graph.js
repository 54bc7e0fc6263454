import { element, given } from './elements.js'
import { graphPicture, scrollToCentre } from './graph-picture.js'
import { claimHash, entityHash } from './hash-route.js'
import { section } from './parts.js'
import { empty, filled } from './states.js'
import { counted, ending, nameOf } from './words.js'

/** @import { EntityRecord } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */
/** @import { PictureNode } from './graph-picture.js' */

/**
 * Response of `GET /v1/graph`.
 *
 * @typedef {object} Subgraph
 * @property {readonly GraphNode[]} nodes The nearest first.
 * @property {readonly { from: string, relationship: string, to: string }[]} edges
 * @property {boolean} truncated
 */

/**
 * @typedef {{ distance: number, did?: string, type?: string, status?: string, uri?: string, kind?: string }} GraphNode
 */

/** Maximum number of nodes in the picture, so that it stays readable. */
const mostNodes = 40

/**
 * The surroundings of an entity, as a picture and as a list.
 *
 * @param {Api} api
 * @param {EntityRecord} entity
 * @param {AbortSignal} signal
 */
export const graphSection = (api, entity, signal) => {
  const place = element('div')
  place.addEventListener('filled', () => {
    for (const picture of place.querySelectorAll('.picture')) scrollToCentre(picture)
  })
  /** @param {string} depth */
  const show = depth => {
    const path = `v1/graph?${new URLSearchParams({ from: entity.did, depth, direction: 'both' })}`
    place.replaceChildren(
      filled(
        'Drawing the graph',
        async () => {
          const graph = await api.get(path, { signal })
          const nodes = graph.nodes.slice(0, mostNodes)
          return { graph, nodes, names: await readNames(api, nodes, entity, signal) }
        },
        ({ graph, nodes, names }) => shownGraph(graph, nodes, names),
        signal,
      ),
    )
  }
  const choice = element(
    'select',
    { id: 'depth' },
    ...['1', '2', '3', '4'].map(depth => element('option', { value: depth, selected: depth === '2' }, depth)),
  )
  choice.addEventListener('change', () => show(choice.value))
  show('2')
  return section(
    'Graph',
    element('p', { class: 'quiet' }, element('label', { for: 'depth' }, 'Steps away '), choice),
    place,
  )
}

/**
 * Returns the names of the entities among nodes, by DID; the type of an entity that cannot be read.
 *
 * @param {Api} api
 * @param {readonly GraphNode[]} nodes
 * @param {EntityRecord} centre
 * @param {AbortSignal} signal
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
const readNames = async (api, nodes, centre, signal) => {
  const names = await Promise.all(
    nodes.map(async ({ did, type = '' }) => {
      if (did === undefined) return []
      if (did === centre.did) return [[did, nameOf(centre)]]
      const entity = await api.get(`v1/entities/${encodeURIComponent(did)}`, { signal }).catch(() => undefined)
      return [[did, entity ? nameOf(entity) : nameOf({ did, type, properties: {} })]]
    }),
  )
  return new Map(/** @type {[string, string][]} */ (names.flat()))
}

/**
 * @param {Subgraph} graph
 * @param {readonly GraphNode[]} nodes
 * @param {ReadonlyMap<string, string>} names
 */
const shownGraph = ({ nodes: all, edges, truncated }, nodes, names) => {
  if (edges.length === 0) return empty('It stands alone.', 'Relationships of it, and to it, would show here.')
  const shown = nodes.map(node => pictureNode(node, names))
  const left = all.length - nodes.length
  return [
    graphPicture(shown, edges),
    left > 0 &&
      element('p', { class: 'quiet' }, `The picture has the nearest ${nodes.length} nodes; ${left} are left out.`),
    truncated && element('p', { class: 'quiet' }, 'There is more: what is shown ends at a limit.'),
    edgeList(shown, edges),
  ]
}

/**
 * @param {GraphNode} node
 * @param {ReadonlyMap<string, string>} names
 * @returns {PictureNode}
 */
const pictureNode = ({ did, type = '', status, uri = '', kind = 'other' }, names) => {
  if (did !== undefined) {
    const title = names.get(did) ?? type
    return { id: did, title, kind: type, href: entityHash(did), isEntity: true, isFaded: status === 'deactivated' }
  }
  const href = kind === 'claim' ? claimHash(uri.replace(/^urn:uuid:/, '')) : undefined
  return { id: uri, title: ending(uri), kind, href, isEntity: false, isFaded: false }
}

/**
 * @param {readonly PictureNode[]} nodes
 * @param {Subgraph['edges']} edges
 */
const edgeList = (nodes, edges) => {
  const known = new Map(nodes.map(node => [node.id, node]))
  /** @param {string} id */
  const named = id => {
    const node = known.get(id)
    const words = node ? `${node.isEntity ? '' : `${node.kind} `}${node.title}` : ending(id)
    return node?.href === undefined ? given(words) : element('a', { href: node.href }, given(words))
  }
  return element(
    'details',
    {},
    element('summary', {}, `The same as a list: ${counted(edges.length, 'relationship')}`),
    element(
      'ul',
      {},
      ...edges.map(({ from, relationship, to }) => element('li', {}, named(from), ` ${relationship} `, named(to))),
    ),
  )
}
