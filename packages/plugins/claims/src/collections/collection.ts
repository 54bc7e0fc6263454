import { isoTime } from '@sibyl/plugin'
import type { CollectionDetails, CollectionRow } from '../definitions/claims-tables.ts'
import type { ClaimQuota, CollectionRecord } from '../records/collection-records.ts'

/** A collection of claims. */
export interface Collection extends CollectionDetails {
  readonly id: string
  readonly title: string
  readonly controller: string
  readonly protocol?: string | undefined
  /** Minimum version of the protocol of its assets. */
  readonly leastProtocolVersion?: number
  /** Newest version of the protocol that its controller has accepted; if missing, the newest version at creation. */
  readonly acceptedProtocolVersion?: number
  readonly quota: ClaimQuota
  readonly taken: number
  /** Milliseconds since 1970. */
  readonly opensAt?: number
  readonly closesAt?: number
  readonly closed: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export const collectionOf = (row: CollectionRowRead): Collection => ({
  ...row.details,
  id: row.id,
  title: row.title,
  controller: row.controller,
  ...(row.protocol === null ? {} : { protocol: row.protocol }),
  ...(row.least_version === null ? {} : { leastProtocolVersion: row.least_version }),
  ...(row.accepted_version === null ? {} : { acceptedProtocolVersion: row.accepted_version }),
  quota: {
    ...(row.quota_all === null ? {} : { all: row.quota_all }),
    ...(row.quota_per_asset === null ? {} : { perAsset: row.quota_per_asset }),
  },
  taken: row.taken,
  ...(row.opens_at === null ? {} : { opensAt: row.opens_at }),
  ...(row.closes_at === null ? {} : { closesAt: row.closes_at }),
  closed: row.closed,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export type CollectionRowRead = Omit<CollectionRow, 'details'> & { readonly details: CollectionDetails }

/** Returns a collection for HTTP responses. */
export const collectionRecordOf = ({
  opensAt,
  closesAt,
  createdAt,
  updatedAt,
  submitters,
  evaluators,
  conditions,
  ...collection
}: Collection): CollectionRecord => ({
  ...collection,
  submitters: typeof submitters === 'string' ? submitters : [...submitters],
  evaluators: [...evaluators],
  conditions: [...conditions],
  ...(opensAt === undefined ? {} : { opensAt: isoTime(opensAt) }),
  ...(closesAt === undefined ? {} : { closesAt: isoTime(closesAt) }),
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
})

/** Returns why a collection accepts no claims at a time; undefined if it does. */
export const closedBecause = ({ closed, opensAt, closesAt }: Collection, now: number): string | undefined => {
  if (closed) return 'The collection is closed.'
  if (opensAt !== undefined && now < opensAt) return `The collection opens at ${isoTime(opensAt)}.`
  if (closesAt !== undefined && now >= closesAt) return `The collection closed at ${isoTime(closesAt)}.`
  return undefined
}
