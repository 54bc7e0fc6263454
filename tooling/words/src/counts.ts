import type { FileFindings } from './check-workspace.ts'
import type { TextKind } from './text.ts'

/** How many findings each package has, by kind; a package or kind without one is left out. */
export type Counts = Readonly<Record<string, Readonly<Partial<Record<TextKind, number>>>>>

/** Counts findings by package and kind. */
export const countFindings = (files: readonly FileFindings[]): Counts => {
  const counts: Record<string, Partial<Record<TextKind, number>>> = {}
  for (const { folder, findings } of files) {
    counts[folder] ??= {}
    const ofFolder = counts[folder]
    for (const { kind } of findings) ofFolder[kind] = (ofFolder[kind] ?? 0) + 1
  }
  return counts
}

/**
 * Compares counts with those that are allowed.
 *
 * @returns One sentence for each count that is higher.
 */
export const compareCounts = (counts: Counts, allowed: Counts): string[] =>
  entriesOf(counts).flatMap(({ folder, kind, count }) => {
    const limit = allowed[folder]?.[kind] ?? 0
    return count > limit ? [`${folder}: ${count} excluded words in ${kind}, and ${limit} are allowed.`] : []
  })

/** Returns allowed counts that are never higher than before. */
export const lowerCounts = (counts: Counts, allowed: Counts): Counts => {
  const lowered: Record<string, Partial<Record<TextKind, number>>> = {}
  for (const { folder, kind, count } of entriesOf(counts)) {
    const limit = Math.min(count, allowed[folder]?.[kind] ?? 0)
    if (limit > 0) lowered[folder] = { ...lowered[folder], [kind]: limit }
  }
  return lowered
}

const entriesOf = (counts: Counts) =>
  Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, kinds]) =>
      Object.entries(kinds)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([kind, count]) => ({ folder, kind: kind as TextKind, count })),
    )
