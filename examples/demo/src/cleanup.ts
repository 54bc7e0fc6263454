/** The steps of the cleanup, in reverse order. */
export class Cleanup {
  readonly #works: (() => Promise<unknown>)[] = []

  add(work: () => Promise<unknown>): void {
    this.#works.push(work)
  }

  /** Does it, each thing once; what fails does not keep the rest from being done. */
  async run(): Promise<void> {
    for (let work = this.#works.pop(); work; work = this.#works.pop()) await work().catch(() => {})
  }
}
