import { layeredGraph, mean } from './layered-graph.js'
/** @import { PictureEdge, Route, Vertex } from './layered-graph.js' */

/** Sizes of the picture, in its own units, of which one is a pixel. */
export const sizes = { width: 146, height: 48, columnGap: 92, rowGap: 18, margin: 6 }

/**
 * A point of the picture.
 *
 * @typedef {{ readonly x: number, readonly y: number }} Point
 */

/**
 * The line of an edge, from its source to its target, and the position of its label.
 *
 * @typedef {PictureEdge & { readonly points: readonly Point[], readonly words: (Point & { readonly anchor: 'start' | 'end' }) | undefined }} DrawnEdge
 */

/**
 * Finds a place for everything: nodes in columns, edges from left to right.
 *
 * @param {readonly string[]} ids The nodes, the most important first.
 * @param {readonly PictureEdge[]} edges Between these nodes, none from a node to itself.
 * @returns {{ readonly width: number, readonly height: number, readonly places: ReadonlyMap<string, Point>, readonly edges: readonly DrawnEdge[] }} the upper left corner of each node
 */
export const layOut = (ids, edges) => {
  const { layers, routes } = layeredGraph(ids, edges)
  placeRows(layers)
  const vertices = layers.flat()
  const top = Math.min(0, ...vertices.map(({ y }) => y))
  const bottom = Math.max(0, ...vertices.map(({ y }) => y))
  for (const vertex of vertices) vertex.y += sizes.margin - top
  const places = new Map(vertices.flatMap(vertex => (vertex.id === undefined ? [] : [[vertex.id, placeOf(vertex)]])))
  const { margin, width, columnGap, height } = sizes
  return {
    width: 2 * margin + layers.length * width + (layers.length - 1) * columnGap,
    height: 2 * margin + bottom - top + height,
    places,
    edges: routes.map(drawn(routes)),
  }
}

/** @param {Vertex} vertex */
const placeOf = ({ layer, y }) => ({ x: sizes.margin + layer * (sizes.width + sizes.columnGap), y })

/** Height of a vertex in its column. @param {Vertex} vertex */
const rowHeight = ({ id }) => (id === undefined ? 14 : sizes.height + sizes.rowGap)

/**
 * Draws each vertex towards the middle of its neighbours, without changing the order of a layer.
 *
 * @param {Vertex[][]} layers
 */
const placeRows = layers => {
  for (const layer of layers) {
    let y = 0
    const whole = layer.reduce((sum, vertex) => sum + rowHeight(vertex), 0)
    for (const vertex of layer) {
      vertex.y = y - whole / 2
      y += rowHeight(vertex)
    }
  }
  for (let sweep = 0; sweep < 12; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wanted = layer.map(vertex => {
        const neighbours = [...vertex.before, ...vertex.after]
        return neighbours.length === 0 ? vertex.y : mean(neighbours)
      })
      settle(layer, wanted)
    }
  }
}

/**
 * Moves the vertices of a layer as near to their wanted positions as possible without overlap: vertices that would
 * overlap form a block around the mean of their wanted positions.
 *
 * @param {Vertex[]} layer
 * @param {readonly number[]} wanted
 */
const settle = (layer, wanted) => {
  /** @type {{ start: number, height: number, count: number, sum: number, members: Vertex[] }[]} */
  const blocks = []
  for (const [index, vertex] of layer.entries()) {
    let block = { start: 0, height: rowHeight(vertex), count: 1, sum: wanted[index] ?? 0, members: [vertex] }
    block.start = block.sum
    for (let last = blocks.at(-1); last && last.start + last.height > block.start; last = blocks.at(-1)) {
      blocks.pop()
      const sum = last.sum + block.sum - block.count * last.height
      const count = last.count + block.count
      const members = [...last.members, ...block.members]
      block = { start: sum / count, height: last.height + block.height, count, sum, members }
    }
    blocks.push(block)
  }
  for (const { start, members } of blocks) {
    let y = start
    for (const vertex of members) {
      vertex.y = y
      y += rowHeight(vertex)
    }
  }
}

/** With more edges than this at one side of a node their words would stand on each other. */
const mostWords = 4

/**
 * @param {readonly Route[]} routes
 * @returns {(route: Route) => DrawnEdge}
 */
const drawn = routes => {
  const leaving = Map.groupBy(routes, ({ path }) => path[0])
  const arriving = Map.groupBy(routes, ({ path }) => path.at(-1))
  /** The height at which an edge touches a node. @param {readonly Route[]} side @param {Route} route @param {number} neighbour */
  const port = (side, route, neighbour) => {
    const ordered = side.toSorted((one, other) => (one.path.at(neighbour)?.y ?? 0) - (other.path.at(neighbour)?.y ?? 0))
    const step = Math.min(14, (sizes.height - 12) / side.length)
    return sizes.height / 2 + (ordered.indexOf(route) - (side.length - 1) / 2) * step
  }
  return route => {
    const { edge, isReversed, path } = route
    const [start, end] = [path[0], path.at(-1)]
    if (!start || !end) return { ...edge, points: [], words: undefined }
    const [from, to] = [placeOf(start), placeOf(end)]
    const [outs, ins] = [leaving.get(start) ?? [], arriving.get(end) ?? []]
    const first = { x: from.x + sizes.width, y: from.y + port(outs, route, 1) }
    const last = { x: to.x, y: to.y + port(ins, route, -2) }
    const between = path.slice(1, -1).flatMap(vertex => {
      const { x, y } = placeOf(vertex)
      return [
        { x, y },
        { x: x + sizes.width, y },
      ]
    })
    const points = [first, ...between, last]
    const nearEnd = ins.length <= mostWords && (ins.length <= outs.length || outs.length > mostWords)
    const words = nearEnd
      ? /** @type {const} */ ({ x: last.x - 9, y: last.y - 4, anchor: 'end' })
      : outs.length <= mostWords
        ? /** @type {const} */ ({ x: first.x + 6, y: first.y - 4, anchor: 'start' })
        : undefined
    return { ...edge, points: isReversed ? points.toReversed() : points, words }
  }
}
