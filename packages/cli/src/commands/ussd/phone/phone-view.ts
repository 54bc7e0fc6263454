import type { GatewayReply } from './ask-gateway.ts'
import type { UssdCall } from './ussd-call.ts'

/** Shows a phone. What comes from the gateway is shown as data, never as instructions to the terminal. */
export interface PhoneView {
  /** Something is dialled or answered, and the phone waits. */
  sending(typed: string): void
  /** The wait is over, whatever came of it. */
  settle(): void
  /** The screen that came, or that a phone taken in hand again still shows. */
  screen(reply: GatewayReply, call: UssdCall): void
  /** A remark of the phone itself. */
  note(text: string): void
  /** What went wrong, and what to do next, if anything. */
  problem(message: string, remedy: string): void
}
