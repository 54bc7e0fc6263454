import { readFileSync } from 'node:fs'

/** Counts what passed and what failed, and limits the time of the whole run. */
export class Tally {
  passed = 0
  failed = 0
  #failures = []
  #deadline

  /** @param {number} seconds Time limit of the whole run. */
  constructor(seconds) {
    this.#deadline = Date.now() + seconds * 1000
  }

  /** Seconds that a step may take: its own limit, or what is left of the run. */
  secondsFor(limit) {
    return Math.max(1, Math.min(limit, (this.#deadline - Date.now()) / 1000))
  }

  /**
   * Prints the head of a step, and starts its time. The log of a step beside another one is printed at its end.
   *
   * @returns {{ write(text: string): void, end(ok: boolean, why?: string, what?: string): boolean }} `end` counts the step,
   *   or a part of it, and returns whether it succeeded.
   */
  begin(name, command, isBeside = false) {
    const began = Date.now()
    let output = `\n=== ${name}\n    ${command.join(' ')}\n\n`
    const print = () => {
      process.stdout.write(output)
      output = ''
    }
    if (!isBeside) print()
    return {
      write: text => {
        output += text
      },
      end: (ok, why, what = name) => {
        print()
        return this.add(what, ok, why, began)
      },
    }
  }

  /** Counts one thing; returns whether it succeeded. @param {number} [began] When it began, in ms since 1970. */
  add(name, ok, why = '', began = undefined) {
    const time = began === undefined ? '' : `, ${((Date.now() - began) / 1000).toFixed(1)} s`
    if (ok) this.passed += 1
    else {
      this.failed += 1
      this.#failures.push(`${name}: ${why}`)
    }
    console.log(`--- ${ok ? 'ok' : 'FAILED'}: ${name}${time}${ok ? '' : ` (${why})`}`)
    return ok
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
