import { oneOf, readTexts } from '../../components/read-search.ts'

export const entityViews = ['table', 'graph', 'map'] as const

/** The filters and the kind of view, as in the URL. */
export interface EntitySearch {
  readonly view?: (typeof entityViews)[number] | undefined
  /** Words of a full-text search. */
  readonly q?: string
  readonly type?: string
  readonly class?: string
  readonly status?: string
  readonly protocol?: string
  readonly controller?: string
  /** A property filter: `fuel=wood`. */
  readonly property?: string
  /** DID of the first node of the graph. */
  readonly from?: string
}

/** Returns the query of `GET /v1/entities` for the filters. */
export const entityQuery = ({ q: _, view: __, from: ___, property = '', ...filters }: EntitySearch) => {
  const [name, ...value] = property.split('=')
  return { ...filters, ...(name?.trim() && { [`property.${name.trim()}`]: value.join('=').trim() }) }
}

export const readEntitySearch = (search: Record<string, unknown>): EntitySearch => ({
  ...readTexts(search, ['q', 'type', 'class', 'status', 'protocol', 'controller', 'property', 'from']),
  view: oneOf(search.view, entityViews),
})
