import type { DomainClass, EntityRecord, EntityStatus } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'

/** What a list is narrowed to; all of it must hold. */
export interface EntityFilters {
  readonly type?: string
  readonly domainClass?: DomainClass
  readonly protocol?: string
  readonly controller?: string
  readonly status?: EntityStatus
  /** Top-level properties that are equal to a value, as text: `{ fuel: 'wood', ports: '4', lit: 'true' }`. */
  readonly properties?: Readonly<Record<string, string>>
  /** Milliseconds since 1970: changed then or later. */
  readonly updatedSince?: number
}

/** Reads entities. */
export interface EntityReader {
  find(did: string): Promise<StoredEntity | undefined>
  /** Several by DID, in one read. */
  findAll(dids: readonly string[]): Promise<ReadonlyMap<string, StoredEntity>>
  /** Several by id, in one read. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, StoredEntity>>
  /**
   * A page, the newest first. Where entities that fit are rare, a page may have few or none and all the same a `next`.
   *
   * @param cursor what the page before gave as `next`
   * @throws CursorInvalid `cursor_invalid`
   */
  list(
    filters: EntityFilters,
    limit: number,
    cursor?: string,
  ): Promise<{ readonly entities: readonly StoredEntity[]; readonly next?: string }>
  /** Entities as routes answer them, with their relationships. */
  records(entities: readonly StoredEntity[]): Promise<readonly EntityRecord[]>
  /**
   * An entity as it was at a time, built from its events; undefined where it was not there yet.
   *
   * @param at milliseconds since 1970
   */
  recordAt(did: string, at: number): Promise<EntityRecord | undefined>
}
