import { type PhoneForm, plainForm } from '@sibyl/bundle/phone'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { formatCount } from '../../../output/format.ts'
import type { GatewayReply } from './call-gateway.ts'
import type { MobileNetwork } from './mobile-network.ts'
import { Phone } from './phone.ts'
import type { PhoneView } from './phone-view.ts'
import { type RecordedSession, readRecording } from './recording.ts'

interface ReplayParts {
  readonly network: MobileNetwork
  readonly view: PhoneView
  /** The form of the gateway. @default that of `POST /api/ussd` with the recorded text mode */
  readonly form: PhoneForm | undefined
  /** The phone number. @default the recorded one */
  readonly phoneNumber: string | undefined
  /** Calls back at each Ctrl-C. */
  readonly onInterrupt: (listener: () => void) => () => void
}

/**
 * Replays a recording at the oracle, each of its sessions as a new one, up to the first screen that differs; `…` in a
 * recording matches any text.
 *
 * @throws `usage_invalid` for a file that is not a recording, and the errors of `Phone.dial`
 */
export const replay = async (path: string, parts: ReplayParts): Promise<ExitCode> => {
  const recording = await readRecording(path)
  if (!recording) throw cliErrors.usage_invalid('That file does not exist.', 'sibyl ussd --record <file> makes one.')
  let screens = 0
  for (const session of recording.sessions) {
    const end = await play(session, parts)
    if (end !== 'same') return end
    screens += session.exchanges.length
  }
  parts.view.note(`${formatCount(screens, 'screen')}, as recorded.`)
  return exitCode.done
}

const play = async (session: RecordedSession, parts: ReplayParts): Promise<ExitCode | 'same'> => {
  const { network, view } = parts
  const { serviceCode, textMode, exchanges } = session
  const phoneNumber = parts.phoneNumber ?? session.phoneNumber
  const phone = new Phone({
    network,
    view,
    form: parts.form ?? plainForm(textMode),
    serviceCode,
    phoneNumber,
    recorder: undefined,
  })
  const release = parts.onInterrupt(() => phone.cancel())
  try {
    for (const [index, { typed, ...expected }] of exchanges.entries()) {
      const end = index === 0 ? await phone.dial() : await phone.answer(typed)
      const came = phone.call?.exchanges.at(-1)?.reply
      if (end === 'cancelled' || !phone.call || !came) return exitCode.interrupted
      if (came.kind !== expected.kind || !isAsRecorded(expected.text, came.text)) {
        printDifference(view, expected, came, phone)
        return exitCode.failed
      }
      if (end === 'failed') return exitCode.failed
    }
    return 'same'
  } finally {
    release()
  }
}

const printDifference = (view: PhoneView, expected: GatewayReply, came: GatewayReply, { call }: Phone): void => {
  const ends = came.kind === 'end' && expected.kind === 'continue'
  const continues = came.kind === 'continue' && expected.kind === 'end'
  const how = ends ? ', and the session continued' : continues ? ', and the session ended' : ''
  view.problem(`The screen differs from the recording. Recorded${how}:`, '')
  if (call) view.screen(expected, call)
}

/** Matches any text in a recording; written by a user. */
const anyText = '…'

/** Returns whether a text matches the recorded one, in which `…` matches any text. */
export const isAsRecorded = (recorded: string, came: string): boolean => {
  if (recorded === came) return true
  const [first = '', ...parts] = recorded.split(anyText)
  const last = parts.pop()
  if (last === undefined || !came.startsWith(first)) return false
  let from = first.length
  for (const part of parts) {
    const place = came.indexOf(part, from)
    if (place < 0) return false
    from = place + part.length
  }
  return came.length - last.length >= from && came.endsWith(last)
}
