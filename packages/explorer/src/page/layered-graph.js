/**
 * An edge of a picture; edges between the same nodes stand as one.
 *
 * @typedef {{ readonly from: string, readonly to: string, readonly relationships: readonly string[] }} PictureEdge
 */

/**
 * A vertex of the layers: a node of the picture, or a place where an edge passes a layer.
 *
 * @typedef {object} Vertex
 * @property {string | undefined} id Of the node; undefined where an edge passes.
 * @property {number} layer
 * @property {Vertex[]} before Neighbours in the layer before.
 * @property {Vertex[]} after
 * @property {number} y
 */

/**
 * An edge on its way through the layers, from left to right.
 *
 * @typedef {{ readonly edge: PictureEdge, readonly isReversed: boolean, readonly path: readonly Vertex[] }} Route
 */

/**
 * Puts the nodes of a graph into layers, so that edges lead from left to right; those that would close a circle lead back.
 * Long edges get a place in each layer that they pass.
 *
 * @param {readonly string[]} ids The nodes, the most important first.
 * @param {readonly PictureEdge[]} edges Between these nodes, none from a node to itself.
 * @returns {{ readonly layers: Vertex[][], readonly routes: readonly Route[] }}
 */
export const layeredGraph = (ids, edges) => {
  const directed = withoutCircles(ids, edges)
  const layerOf = findLayers(ids, directed)
  /** @type {Vertex[][]} */
  const layers = Array.from({ length: Math.max(0, ...layerOf.values()) + 1 }, () => [])
  /** @param {string | undefined} id @param {number} layer @returns {Vertex} */
  const add = (id, layer) => {
    const vertex = { id, layer, before: [], after: [], y: 0 }
    layers[layer]?.push(vertex)
    return vertex
  }
  const vertexOf = new Map(ids.map(id => [id, add(id, layerOf.get(id) ?? 0)]))
  const routes = directed.flatMap(({ edge, left, right, isReversed }) => {
    const [start, end] = [vertexOf.get(left), vertexOf.get(right)]
    if (!start || !end) return []
    const path = [start]
    for (let layer = start.layer + 1; layer < end.layer; layer += 1) path.push(add(undefined, layer))
    path.push(end)
    for (const [index, vertex] of path.entries()) {
      const next = path[index + 1]
      if (!next) break
      vertex.after.push(next)
      next.before.push(vertex)
    }
    return [{ edge, isReversed, path }]
  })
  orderLayers(layers)
  return { layers, routes }
}

/**
 * @typedef {{ readonly edge: PictureEdge, readonly left: string, readonly right: string, readonly isReversed: boolean }} Directed
 */

/**
 * Turns round the edges that lead back on a walk along the edges.
 *
 * @param {readonly string[]} ids
 * @param {readonly PictureEdge[]} edges
 * @returns {Directed[]}
 */
const withoutCircles = (ids, edges) => {
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const incoming = new Set(edges.map(({ to }) => to))
  const sources = ids.filter(id => !incoming.has(id))
  /** @type {Map<string, 'open' | 'done'>} */
  const seen = new Map()
  /** @type {Set<PictureEdge>} */
  const leadingBack = new Set()
  for (const start of [...sources, ...ids]) {
    if (seen.has(start)) continue
    seen.set(start, 'open')
    const stack = [{ id: start, rest: [...(outgoing.get(start) ?? [])] }]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = top.rest.shift()
      if (!edge) {
        seen.set(top.id, 'done')
        stack.pop()
      } else if (seen.get(edge.to) === 'open') leadingBack.add(edge)
      else if (!seen.has(edge.to)) {
        seen.set(edge.to, 'open')
        stack.push({ id: edge.to, rest: [...(outgoing.get(edge.to) ?? [])] })
      }
    }
  }
  return edges.map(edge => {
    const isReversed = leadingBack.has(edge)
    return { edge, isReversed, left: isReversed ? edge.to : edge.from, right: isReversed ? edge.from : edge.to }
  })
}

/**
 * The layer of each node: right of all that lead to it, and next to what it leads to where nothing leads to it.
 *
 * @param {readonly string[]} ids
 * @param {readonly Directed[]} edges
 */
const findLayers = (ids, edges) => {
  const outgoing = Map.groupBy(edges, ({ left }) => left)
  const waiting = new Map(ids.map(id => [id, 0]))
  for (const { right } of edges) waiting.set(right, (waiting.get(right) ?? 0) + 1)
  const sources = ids.filter(id => waiting.get(id) === 0)
  const layerOf = new Map(ids.map(id => [id, 0]))
  const queue = [...sources]
  for (const id of queue) {
    for (const { right } of outgoing.get(id) ?? []) {
      layerOf.set(right, Math.max(layerOf.get(right) ?? 0, (layerOf.get(id) ?? 0) + 1))
      const left = (waiting.get(right) ?? 0) - 1
      waiting.set(right, left)
      if (left === 0) queue.push(right)
    }
  }
  for (const id of sources) {
    const next = (outgoing.get(id) ?? []).map(({ right }) => layerOf.get(right) ?? 1)
    if (next.length > 0) layerOf.set(id, Math.min(...next) - 1)
  }
  return layerOf
}

/** Puts the vertices of each layer next to their neighbours, in a few sweeps to and fro. @param {Vertex[][]} layers */
const orderLayers = layers => {
  /** @param {Vertex[] | undefined} layer */
  const number = layer => {
    for (const [place, vertex] of (layer ?? []).entries()) vertex.y = place
  }
  for (const layer of layers) number(layer)
  for (let sweep = 0; sweep < 8; sweep += 1) {
    const forwards = sweep % 2 === 0
    const order = forwards ? layers : layers.toReversed()
    for (const layer of order) {
      const place = new Map(
        layer.map(vertex => {
          const neighbours = forwards ? vertex.before : vertex.after
          return [vertex, neighbours.length === 0 ? vertex.y : mean(neighbours)]
        }),
      )
      layer.sort((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0))
      number(layer)
    }
  }
}

/** @param {readonly Vertex[]} vertices */
export const mean = vertices => vertices.reduce((sum, { y }) => sum + y, 0) / vertices.length
