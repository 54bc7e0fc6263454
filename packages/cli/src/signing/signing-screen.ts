import { impersonationAbility } from '@sibyl/identity'
import qrcode from 'qrcode-terminal'
import { cleanLine } from '../output/clean-text.ts'
import { displayWidth, truncate, wrapWords } from '../output/display-width.ts'
import { Screen } from '../output/screen.ts'
import { isTerminal, type Style, stylesFor } from '../output/styles.ts'
import type { CommandIo } from '../process/command-io.ts'
import type { SigningPlace } from './signing-place.ts'
import type { SigningFacts } from './signing-protocol.ts'

/** Light on dark, as cameras expect it, even on a light terminal. */
const scannable: Style = text => `\u001b[38;5;231m\u001b[48;5;16m${text}\u001b[0m`

/** The display of a request on the computer, on standard error. */
export class SigningScreen {
  readonly #screen: Screen
  readonly #io: CommandIo
  #doing = 'Waiting for the phone'

  constructor(io: CommandIo) {
    this.#io = io
    this.#screen = new Screen(io.stderr, isTerminal(io.stderr, io.env))
  }

  /** Shows the code, the link below it, and the facts to sign. */
  show(link: string, facts: SigningFacts, place: SigningPlace): void {
    const { dim, bold, accent } = stylesFor(this.#io.stderr, this.#io.env)
    const { columns } = this.#screen
    const isShown = place.isForPhones && Number.isFinite(columns)
    const qr = isShown ? terminalQr(link, columns, this.#io.env.NO_COLOR ? undefined : scannable) : []
    this.#screen.line(bold(place.isForPhones ? 'Scan this with your phone:' : 'Open this on this computer:'))
    this.#screen.line()
    for (const line of qr ?? [dim('(The terminal is too narrow for the QR code.)')]) this.#screen.line(line)
    if (qr?.length !== 0) this.#screen.line()
    if (qr?.length && this.#io.env.NO_COLOR) {
      this.#paragraph('Some cameras cannot read it on a light terminal without colors: unset NO_COLOR.', dim)
    }
    this.#screen.line(accent(link))
    this.#screen.line()
    this.#paragraph(whatIsAsked(facts))
    if (place.others.length > 0) {
      const others = place.others.map(({ address, network }) => `${address} (${network})`).join(', ')
      this.#paragraph(
        `The phone must reach ${new URL(link).hostname}. Other addresses of this computer: ${others}; select one with SIBYL_SIGNING_HOST.`,
        dim,
      )
    }
  }

  /** Prints a line of plain text. */
  print(text: string, isWarning = false): void {
    const { warning } = stylesFor(this.#io.stderr, this.#io.env)
    this.#paragraph(text, isWarning ? warning : undefined)
  }

  /** Shows the fingerprint, and its purpose. */
  compare(fingerprint: string, did: string): void {
    const { bold, dim } = stylesFor(this.#io.stderr, this.#io.env)
    this.#screen.line()
    this.#screen.line(`The phone must show  ${bold(fingerprint)}`)
    this.#screen.line(dim(truncate(`and its key is       ${did}`, this.#screen.columns)))
    this.#screen.line()
  }

  /** Shows a wait, from the next tick on. */
  wait(doing: string): void {
    this.#doing = doing
  }

  tick(secondsLeft: number): void {
    const time = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`
    const short = `${this.#doing} · ${time}`
    const long = `${short} · Ctrl-C cancels`
    this.#screen.pass(displayWidth(long) < this.#screen.columns ? long : short)
  }

  /** Removes the countdown. */
  end(): void {
    this.#screen.endLine()
  }

  #paragraph(text: string, style: Style = line => line): void {
    for (const line of wrapWords(text, Math.min(this.#screen.columns, 100))) this.#screen.line(style(line))
  }
}

const whatIsAsked = ({ registry, abilities, about, from, until }: SigningFacts): string => {
  const hours = Math.round((until - from) / 360) / 10
  const whom = about === undefined ? '' : ` for ${cleanLine(about)}`
  const span = hours === 1 ? '1 hour' : `${hours} hours`
  const acts = abilities.includes(impersonationAbility) ? 'act as you and ' : ''
  const others = abilities.filter(ability => ability !== impersonationAbility)
  return `To sign: this computer may ${acts}use ${others.join(', ')} at ${cleanLine(registry.title)}${whom}, for ${span}.`
}

/**
 * Draws a QR code with half blocks, one module per column and two per row.
 *
 * @param text At most about 78 characters fit 35 columns.
 * @param columns Of the terminal.
 * @param style For each line: light on dark, independent of the colors of the terminal.
 * @returns the lines, or undefined if the code is wider than the terminal
 */
export const terminalQr = (text: string, columns: number, style: Style = line => line): string[] | undefined => {
  const drawn: string[] = []
  qrcode.generate(text, { small: true }, code => drawn.push(...code.split('\n')))
  const lines = drawn.filter(line => line !== '')
  const width = Math.max(...lines.map(line => line.length))
  return width > columns ? undefined : lines.map(line => style(line.padEnd(width)))
}
