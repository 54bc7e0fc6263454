import type { Fault } from '@sibyl/protocol'
import type { FaultCode } from './fault-code.ts'

/** The most faults that are told of one body. */
const mostFaults = 100

/** Collects the faults of a body; beyond 100 it only says that there are more. */
export class FaultList {
  readonly #faults: Fault[] = []

  add(path: string, code: FaultCode, message: string): void {
    if (this.#faults.length < mostFaults) this.#faults.push({ path, code, message })
    else if (!this.full) {
      this.#faults.push({ path: '', code: 'more_faults', message: `There are more faults than these ${mostFaults}.` })
    }
  }

  /** Whether nothing more is taken in, so that a check may stop. */
  get full(): boolean {
    return this.#faults.length > mostFaults
  }

  get all(): readonly Fault[] {
    return this.#faults
  }
}
