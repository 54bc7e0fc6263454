import { element, shape } from './elements.js'
import { layOut, sizes } from './graph-layout.js'
import { cut } from './words.js'
/** @import { DrawnEdge, Point } from './graph-layout.js' */

/**
 * A node of the picture, in words.
 *
 * @typedef {object} PictureNode
 * @property {string} id
 * @property {string} title What a person would call it.
 * @property {string} kind `CookStove`, `claim`.
 * @property {string | undefined} href Where it leads; nowhere where it is undefined.
 * @property {boolean} isEntity
 * @property {boolean} isFaded Out of use.
 */

/**
 * Draws a part of the graph: a picture whose nodes are links, in the order of the layers.
 *
 * @param {readonly PictureNode[]} nodes The first is the one that it is about.
 * @param {readonly { from: string, relationship: string, to: string }[]} edges
 */
export const graphPicture = (nodes, edges) => {
  const known = new Set(nodes.map(({ id }) => id))
  const inside = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const merged = [...Map.groupBy(inside, ({ from, to }) => JSON.stringify([from, to])).values()].map(same => ({
    from: same[0]?.from ?? '',
    to: same[0]?.to ?? '',
    relationships: [...new Set(same.map(({ relationship }) => relationship))].toSorted(),
  }))
  const layout = layOut([...known], merged)
  const inOrder = nodes.toSorted(
    (one, other) => orderOf(layout.places.get(one.id)) - orderOf(layout.places.get(other.id)),
  )
  return element(
    'div',
    { class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'The graph as a picture' },
    shape(
      'svg',
      { width: layout.width, height: layout.height, viewBox: `0 0 ${layout.width} ${layout.height}` },
      shape('defs', {}, arrow()),
      shape('g', { 'aria-hidden': 'true' }, ...layout.edges.map(drawnEdge)),
      ...inOrder.map(node => drawnNode(node, layout.places.get(node.id), node === nodes[0])),
    ),
  )
}

/**
 * Scrolls a picture, where it is larger than its frame, to the node that it is about.
 *
 * @param {Element} picture
 */
export const scrollToCentre = picture => {
  const centre = picture.querySelector('.centre rect')
  if (!centre) return
  const at = (/** @type {string} */ name) => Number(centre.getAttribute(name))
  picture.scrollLeft = at('x') + (at('width') - picture.clientWidth) / 2
  picture.scrollTop = at('y') + (at('height') - picture.clientHeight) / 2
}

/** @param {Point | undefined} place */
const orderOf = place => (place ? place.x * 10_000 + place.y : 0)

const arrow = () =>
  shape(
    'marker',
    { id: 'arrow', viewBox: '0 0 8 8', refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
    shape('path', { d: 'M0 .5 8 4 0 7.5Z', class: 'arrow' }),
  )

/** @param {DrawnEdge} edge */
const drawnEdge = ({ points, words, relationships }) => {
  const text = relationships.join(', ')
  return shape(
    'g',
    { class: 'edge' },
    shape('path', { d: curveThrough(points), 'marker-end': 'url(#arrow)' }, shape('title', {}, text)),
    words && shape('text', { x: words.x, y: words.y, 'text-anchor': words.anchor }, cut(text, 14)),
  )
}

/**
 * A line that leaves and reaches each point level.
 *
 * @param {readonly Point[]} points
 */
const curveThrough = points => {
  const [start, ...rest] = points
  if (!start) return ''
  let path = `M${round(start.x)} ${round(start.y)}`
  let last = start
  for (const point of rest) {
    const middle = round((last.x + point.x) / 2)
    path += `C${middle} ${round(last.y)} ${middle} ${round(point.y)} ${round(point.x)} ${round(point.y)}`
    last = point
  }
  return path
}

/** @param {number} value */
const round = value => Math.round(value * 10) / 10

/**
 * @param {PictureNode} node
 * @param {Point | undefined} place
 * @param {boolean} isCentre
 */
const drawnNode = ({ title, kind, href, isEntity, isFaded }, place = { x: 0, y: 0 }, isCentre) => {
  const { x, y } = place
  const { width, height } = sizes
  const looks = ['node', isCentre && 'centre', isFaded && 'faded', !isEntity && 'other'].filter(Boolean).join(' ')
  const content = [
    shape('title', {}, `${title}, ${kind}`),
    shape('rect', { x, y, width, height, rx: isEntity ? 6 : height / 2 }),
    shape('text', { x: x + width / 2, y: y + 21, class: 'title' }, cut(title, 16)),
    shape('text', { x: x + width / 2, y: y + 37, class: 'kind' }, cut(kind, 24)),
  ]
  if (href === undefined) return shape('g', { class: looks }, ...content)
  return shape('a', { href, class: looks, ...(isCentre ? { 'aria-current': 'page' } : {}) }, ...content)
}
