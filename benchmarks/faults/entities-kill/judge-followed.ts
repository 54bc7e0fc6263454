import type { StoredEntities } from '../entities/read-entities.ts'
import type { KnownEntity } from './known-entity.ts'

/** Returns the expected number of changes from the clients' data, and how many of them are of Projects. */
export const wantedChanges = (known: readonly KnownEntity[]): { readonly all: number; readonly projects: number } => {
  const counts = { all: 1, projects: 0 }
  for (const { creation, state } of known) {
    const ofGroups = (creation.membershipGroups?.length ?? 0) * (state.status === 'active' ? 1 : 2)
    counts.all += state.version + ofGroups
    if (creation.type === 'Project') counts.projects += state.version
  }
  return counts
}

/** `<did> <version>` of all events that are stored. @param type of the entities; all by default */
export const changesOf = ({ entities, events }: StoredEntities, type?: string): ReadonlySet<string> =>
  new Set(
    [...events].flatMap(([id, own]) => {
      const entity = entities.get(id)
      return type === undefined || entity?.type === type ? own.map(({ version }) => `${entity?.did} ${version}`) : []
    }),
  )

/** Finds changes that a follower did not hear of, heard of twice, or before an earlier one of the same entity. */
export const judgeFollowed = (heard: readonly string[], stored: ReadonlySet<string>): readonly string[] => {
  const found: string[] = []
  const versions = new Map<string, number>()
  const seen = new Set<string>()
  for (const change of heard) {
    const [did = '', version] = change.split(' ')
    if (seen.has(change)) found.push(`${change}: twice`)
    else if (!stored.has(change)) found.push(`${change}: is not stored`)
    else if ((versions.get(did) ?? 0) + 1 !== Number(version)) found.push(`${change}: after ${versions.get(did) ?? 0}`)
    versions.set(did, Number(version))
    seen.add(change)
  }
  return [...found, ...[...stored].filter(change => !seen.has(change)).map(change => `${change}: was not heard of`)]
}
