import type { ScaffoldJournal, ScaffoldRecord } from './journal/scaffold-journal.ts'

/** What was done so far; each step is on disk before the next one. */
export class Progress {
  readonly #journal: ScaffoldJournal
  #record: ScaffoldRecord
  #begun: boolean

  constructor(journal: ScaffoldJournal, record: ScaffoldRecord, earlier: ScaffoldRecord | undefined) {
    this.#journal = journal
    this.#record = record
    this.#begun = earlier !== undefined
  }

  get record(): ScaffoldRecord {
    return this.#record
  }

  /** Whether something may have been done outside of this computer. */
  get begun(): boolean {
    return this.#begun
  }

  /** Notes what is about to be done, or is done. */
  async note(facts: Partial<ScaffoldRecord> = {}): Promise<void> {
    this.#record = { ...this.#record, ...facts }
    await this.#journal.write(this.#record)
    this.#begun = true
  }

  /** Nothing was done after all. */
  async takeBack(): Promise<void> {
    await this.#journal.forget()
    this.#begun = false
  }
}
