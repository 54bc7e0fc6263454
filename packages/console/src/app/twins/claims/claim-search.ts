import { oneOf, readTexts } from '../../components/read-search.ts'
import type { Access } from '../../session/access.ts'

/** States that a list of claims can be narrowed to; `mine` are claims that wait for the user. */
export const claimFilters = [
  'mine',
  'waiting',
  'submitted',
  'evaluating',
  'disputed',
  'approved',
  'rejected',
  'upheld',
  'invalidated',
  'all',
] as const

/** Returns the filters that a user may choose, the default first: only users who decide have claims that wait for them. */
export const filtersFor = (access: Access): readonly (typeof claimFilters)[number][] =>
  access.may('claims/evaluate') ? claimFilters : claimFilters.filter(filter => filter !== 'mine')

/** The filters of the list of claims, as in the URL. */
export interface ClaimSearch {
  readonly show?: (typeof claimFilters)[number] | undefined
  readonly collection?: string
  readonly asset?: string
  readonly order?: 'newest' | 'oldest' | undefined
}

export const readClaimSearch = (search: Record<string, unknown>): ClaimSearch => ({
  ...readTexts(search, ['collection', 'asset']),
  show: oneOf(search.show, claimFilters),
  order: oneOf(search.order, ['newest', 'oldest']),
})

/** Returns the query of `GET /v1/claims` for the filters. Claims that wait come oldest first. */
export const claimQuery = ({ show = 'mine', collection, asset, order }: ClaimSearch) => ({
  collection,
  asset,
  order: order ?? (show === 'mine' || show === 'waiting' ? 'oldest' : 'newest'),
  ...(show === 'mine' ? { deciding: 'true' } : show === 'all' ? {} : { state: show }),
})
