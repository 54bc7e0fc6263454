import { sql } from '@sibyl/plugin/storage'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { EntityChange } from '../records/stored-entity.ts'
import type { DocumentMember, EntitiesStorage } from '../storage/entities-tables.ts'
import type { Projection } from '../storage/projection.ts'
import { inParts } from '../storage/statement-parts.ts'

/** Records which versions change the source of an entity's DID document, so that past documents are found quickly. */
export const documentProjection: Projection = {
  async apply(changes, tx) {
    const rows = changes.flatMap(change =>
      changedMembers(change).map(member => ({ entity_id: change.after.id, member, version: change.after.version })),
    )
    for (const part of inParts(rows)) await tx.insertInto('entities_document_changes').values(part).execute()
  },
}

const patchMembers = ['controller', 'services', 'alsoKnownAs'] as const

const changedMembers = ({ kind, change }: EntityChange): readonly DocumentMember[] => {
  if (kind === 'deactivated') return ['status']
  return kind === 'updated' ? patchMembers.filter(member => (change as EntityPatch)[member] !== undefined) : []
}

/** Returns the last version up to a given one that changed each member; null if only the creation set it. */
export const lastDocumentChanges = async (
  read: EntitiesStorage['read'],
  id: string,
  version: number,
): Promise<Readonly<Record<DocumentMember, number | null>>> => {
  const last = (member: DocumentMember) => sql<number | null>`
    (select max(version) from entities_document_changes
     where entity_id = ${id} and member = ${member} and version <= ${version})`
  const { rows } = await sql<Record<DocumentMember, number | null>>`
    select ${last('controller')} as "controller", ${last('services')} as "services",
      ${last('alsoKnownAs')} as "alsoKnownAs", ${last('status')} as "status"
  `.execute(read)
  return rows[0]!
}
