/**
 * A content that no row names may belong to an upload under way until it was seen for so long, in milliseconds: longer than
 * a request may take.
 */
export const orphanMs = 4_200_000

/** A content on the disk. */
export interface DiskPlace {
  readonly folder: string
  readonly file: string
}

/**
 * Remembers since when contents have been seen that no row names. It goes by the time that passes in this process alone,
 * which neither the computer's clock nor that of the disk can move.
 */
export class OrphanWatch {
  readonly #elapsed: () => number
  #since: ReadonlyMap<string, number> = new Map()

  /** @param elapsed Milliseconds since whenever, never set and never turned back. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed
  }

  /** Those of the contents without a row that have been seen for so long that nobody is writing them any more. */
  abandoned(seen: readonly DiskPlace[]): readonly DiskPlace[] {
    const now = this.#elapsed()
    const key = ({ folder, file }: DiskPlace) => `${folder}/${file}`
    this.#since = new Map(seen.map(one => [key(one), this.#since.get(key(one)) ?? now]))
    return seen.filter(one => now - (this.#since.get(key(one)) ?? now) >= orphanMs)
  }
}
