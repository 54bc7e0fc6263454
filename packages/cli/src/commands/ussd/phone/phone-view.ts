import { cleanLine, safeJson } from '../../../output/clean-text.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import type { GatewayReply } from './call-gateway.ts'
import { formatMeasure, measureScreen, screenLines } from './screen-frame.ts'
import type { UssdCall } from './ussd-call.ts'

/** Shows a phone. All content from the gateway is shown as data, never as terminal control sequences. */
export interface PhoneView {
  /** Called when input is sent and the phone waits. */
  sending(typed: string): void
  /** Called when the wait ends, with or without a reply. */
  settle(): void
  /** Shows a new screen, or the current one after a switch of phones. */
  screen(reply: GatewayReply, call: UssdCall): void
  /** Shows a remark of the phone itself. */
  note(text: string): void
  /** Shows an error and its remedy, if any. */
  problem(message: string, remedy: string): void
}

type Streams = Pick<CommandIo, 'stdout' | 'stderr'>

/** Writes each screen as one line of JSON; remarks go to standard error. */
export const jsonPhoneView = ({ stdout, stderr }: Streams): PhoneView => ({
  sending: () => {},
  settle: () => {},
  screen({ kind, text, status }, { sessionId, facts, exchanges, form }) {
    const { phoneNumber, serviceCode } = facts
    const facets = { ...measureScreen(text, form.limits), status }
    const typed = exchanges.at(-1)?.typed
    stdout.write(`${safeJson({ typed, kind, text, ...facets, sessionId, phoneNumber, serviceCode })}\n`)
  },
  ...remarks(stderr),
})

/** Writes to a file or a pipe: the input and the screens; remarks go to standard error. */
export const plainPhoneView = ({ stdout, stderr }: Streams): PhoneView => {
  let isFirst = true
  return {
    sending(typed) {
      stdout.write(`${isFirst ? '' : '\n'}▸ ${cleanLine(typed)}\n`)
      isFirst = false
    },
    settle: () => {},
    screen({ text, kind }, { form }) {
      const lines = screenLines(text, Number.POSITIVE_INFINITY)
      const end = kind === 'end' ? ', the session has ended' : ''
      stdout.write(`${lines.join('\n')}\n— ${formatMeasure(measureScreen(text, form.limits))}${end}\n`)
    },
    ...remarks(stderr),
  }
}

const remarks = (stderr: CommandIo['stderr']): Pick<PhoneView, 'note' | 'problem'> => ({
  note(text) {
    stderr.write(`${text}\n`)
  },
  problem(message, remedy) {
    stderr.write(`sibyl: ${message}\n${remedy === '' ? '' : `       ${remedy}\n`}`)
  },
})
