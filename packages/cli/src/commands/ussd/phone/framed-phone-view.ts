import { cleanLine } from '../../../output/clean-text.ts'
import type { Screen } from '../../../output/screen.ts'
import type { Style, Styles } from '../../../output/styles.ts'
import type { GatewayReply } from './call-gateway.ts'
import type { PhoneView } from './phone-view.ts'
import { drawScreen, screenLines } from './screen-frame.ts'
import type { UssdCall } from './ussd-call.ts'

/** Shows a phone on a terminal, its screens in frames. */
export class FramedPhoneView implements PhoneView {
  readonly #screen: Screen
  readonly #styles: Styles
  readonly #byHand: boolean

  /** @param byHand Whether a user types on the terminal, who sees the input. */
  constructor(screen: Screen, styles: Styles, byHand: boolean) {
    this.#screen = screen
    this.#styles = styles
    this.#byHand = byHand
  }

  /** Shows input that was typed before the prompt. */
  showSent(label: string, text: string): void {
    this.#screen.line(label + cleanLine(text))
  }

  sending(typed: string): void {
    if (!this.#byHand) this.showSent(this.#styles.bold('▸ '), typed)
    this.#screen.pass(this.#styles.dim('…'))
  }

  settle(): void {
    this.#screen.endLine()
  }

  screen({ text, kind }: GatewayReply, { form }: UssdCall): void {
    for (const line of drawScreen(text, this.#screen.columns, this.#styles, form.limits)) this.#screen.line(line)
    if (kind === 'end') this.note(`The session has ended.${this.#byHand ? ' Press Enter to dial again.' : ''}`)
  }

  note(text: string): void {
    this.#print(text, this.#styles.dim)
  }

  problem(message: string, remedy: string): void {
    this.#print(message, this.#styles.error)
    if (remedy !== '') this.note(remedy)
  }

  #print(text: string, style: Style): void {
    for (const line of screenLines(text, this.#screen.columns)) this.#screen.line(style(line))
  }
}
