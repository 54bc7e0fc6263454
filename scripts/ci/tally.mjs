import { readFileSync } from 'node:fs'

/** Counts what passed, what failed and what was skipped, and watches the time of the whole run. */
export class Tally {
  passed = 0
  failed = 0
  skipped = 0
  #failures = []
  #deadline
  /** When each step began; the last entry stands for what belongs to none by name. */
  #begun = new Map()

  /** @param {number} seconds Time limit of the whole run. */
  constructor(seconds) {
    this.#deadline = Date.now() + seconds * 1000
  }

  /** Seconds that a step may take: its own limit, or what is left of the run. */
  secondsFor(limit) {
    return Math.max(1, Math.min(limit, (this.#deadline - Date.now()) / 1000))
  }

  /** Heads the log of a step, and starts its time. */
  begin(name, command) {
    this.time(name)
    this.head(name, command)
  }

  /** Starts the time of a step whose log is printed after its end. */
  time(name) {
    this.#begun.delete(name)
    this.#begun.set(name, Date.now())
  }

  /** Heads the log of a step. */
  head(name, command) {
    console.log(`\n=== ${name}\n    ${command.join(' ')}\n`)
  }

  /** Counts one thing; returns whether it went well. */
  add(name, ok, why = '') {
    const begun = this.#begun.get(name) ?? [...this.#begun.values()].at(-1) ?? Date.now()
    const seconds = ((Date.now() - begun) / 1000).toFixed(1)
    if (ok) this.passed += 1
    else {
      this.failed += 1
      this.#failures.push(`${name}: ${why}`)
    }
    console.log(`--- ${ok ? 'ok' : 'FAILED'}: ${name}, ${seconds} s${ok ? '' : ` (${why})`}`)
    return ok
  }

  /** Counts a step that could not run here, and that is neither passed nor failed. */
  skip(name, why) {
    this.skipped += 1
    console.log(`--- SKIPPED: ${name} (${why})`)
  }

  /** Counts the tests in a JSON report of vitest. */
  addVitest(file) {
    this.#addReport(file, text => {
      const { numPassedTests, numFailedTests } = JSON.parse(text)
      return [numPassedTests, numFailedTests]
    })
  }

  /** Counts the tests in a TAP report of Node's test runner. */
  addTap(file) {
    this.#addReport(file, text =>
      ['pass', 'fail'].map(word => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(text)?.[1])),
    )
  }

  /** Prints what failed, and the totals alone on the last line. */
  print() {
    if (this.#failures.length > 0) console.log(`\nFailed:\n${this.#failures.map(line => `  ${line}`).join('\n')}`)
    if (this.skipped > 0) console.log(`\n${this.skipped} skipped`)
    console.log(`\n${this.passed} passed, ${this.failed} failed`)
  }

  #addReport(file, countsOf) {
    try {
      const [passed, failed] = countsOf(readFileSync(file, 'utf8'))
      if (!Number.isInteger(passed) || !Number.isInteger(failed)) throw new Error('it has no totals')
      this.passed += passed
      this.failed += failed
      if (failed > 0) this.#failures.push(`${failed} tests, see above`)
      console.log(`    ${passed} tests passed, ${failed} failed`)
    } catch (error) {
      this.add('the report of the tests', false, error.message)
    }
  }
}
