import type { Storage } from '../contract/storage.ts'
import { sql } from '../sql/kysely.ts'

/** The share of a file, and the bytes, that stay free for later rows. */
const keptShare = 0.05
const keptBytes = 4_000_000
/** Pages of the first step, and the maximum of later ones. */
const firstPages = 50
const maxPages = 2_000
/** Target duration of one step, in milliseconds: it blocks the event loop. */
const stepMs = 5
/** After so many steps the log is copied. */
const copiedEvery = 4

/**
 * Returns free pages of a SQLite file to the disk, in small writes. A file of an earlier version, without `auto_vacuum`, and
 * PostgreSQL keep theirs for later rows.
 *
 * @returns bytes that the file is smaller by
 */
export const releaseSpace = async <Tables>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  signal?: AbortSignal,
): Promise<number> => {
  if (storage.engine !== 'sqlite') return 0
  const { rows } = await sql<{ mode: number; free: number; pages: number; size: number }>`
    select a.auto_vacuum as mode, f.freelist_count as free, c.page_count as pages, s.page_size as size
    from pragma_auto_vacuum a, pragma_freelist_count f, pragma_page_count c, pragma_page_size s`.execute(storage.read)
  const { mode, free, pages, size } = rows[0]!
  if (mode === 0) return 0
  let left = Math.floor(free - Math.max(pages * keptShare, keptBytes / size))
  let [released, step] = [0, firstPages]
  for (let steps = 1; left > 0 && !signal?.aborted; steps += 1) {
    const count = Math.min(step, left)
    const tookMs = await storage.write(
      async tx => {
        const start = performance.now()
        await sql`pragma incremental_vacuum(${sql.lit(count)})`.execute(tx)
        return performance.now() - start
      },
      { log: steps % copiedEvery === 0 || count === left ? 'copied' : 'left' },
    )
    left -= count
    released += count
    step = Math.round(Math.min(Math.max((count * stepMs) / Math.max(tookMs, 0.1), 1), step * 2, maxPages))
  }
  return released * size
}
