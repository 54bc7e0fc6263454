/** Maximum lines that are stored for a follower. */
const maxEarly = 500

/** Passes on the lines of the log: first those that were written before there was a follower. */
export class LogTap {
  readonly #early: string[] = []
  #write: ((line: string) => void) | undefined

  /** Writes a line, without its line break. */
  write(line: string): void {
    if (this.#write) this.#write(line)
    else if (this.#early.length < maxEarly) this.#early.push(line)
  }

  /** Passes on all lines from now on, and those before. */
  follow(write: (line: string) => void): void {
    for (const line of this.#early.splice(0)) write(line)
    this.#write = write
  }
}
