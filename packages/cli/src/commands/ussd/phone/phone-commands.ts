import { isPhoneNumber, isSeconds, isServiceCode } from './dial-formats.ts'
import type { LineEnd, Phone } from './phone.ts'
import type { PhoneView } from './phone-view.ts'
import { Recorder } from './recording.ts'

const help = `/dial [code]     dials, also in the middle of a session
/cancel          gives the session up, as Ctrl-C does
/phone [number]  takes another phone in hand; alone it says which one this is
/slow <seconds>  makes the network slow; /slow 0 makes it fast
/twice           delivers each request twice at once; again: once
/record [file]   writes the session to a file, from its dial on; alone it stops
/quit            leaves, as Ctrl-D does
//…              an answer that begins with a slash`

/** Returns whether a line changes the phone, and is no answer. */
const isPhoneCommand = (line: string): boolean => /^\/(?!\/)/.test(line)

/** Does what `/help` lists. Throws what `Phone.dial` throws, `usage_invalid` for a file that cannot be recorded to. */
const runPhoneCommand = async (phone: Phone, view: PhoneView, line: string): Promise<LineEnd> => {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*?)\s*$/.exec(line) ?? []
  const refuse = (message: string): LineEnd => {
    view.problem(message, '')
    return 'failed'
  }
  switch (name) {
    case 'dial':
      if (argument === '') return phone.dial()
      return isServiceCode(argument) ? phone.dial(argument) : refuse('A code looks like *1234#.')
    case 'cancel':
      view.note(phone.cancel() ? 'Cancelled. Enter dials again.' : 'There is no session to cancel.')
      return 'shown'
    case 'phone':
      if (argument !== '' && !isPhoneNumber(argument)) return refuse('A phone number looks like +447700900002.')
      view.note(`The phone in hand is ${argument || phone.number}.`)
      if (argument !== '') phone.takeInHand(argument)
      return 'shown'
    case 'slow':
      if (!isSeconds(argument)) return refuse('Give seconds from 0 to 99: /slow 3')
      phone.network.slowSeconds = Number(argument)
      view.note(Number(argument) > 0 ? `Each request takes ${Number(argument)} s more.` : 'The network is fast.')
      return 'shown'
    case 'twice':
      phone.network.twice = !phone.network.twice
      view.note(`Each request is delivered ${phone.network.twice ? 'twice at once' : 'once'}.`)
      return 'shown'
    case 'record':
      return record(phone, view, argument)
    case 'help':
      view.note(help)
      return 'shown'
    case 'quit':
      return 'left'
    default:
      return refuse('The phone has no such command. /help lists them; // begins an answer with a slash.')
  }
}

const record = async (phone: Phone, view: PhoneView, path: string): Promise<LineEnd> => {
  if (path === '') {
    view.note(phone.recorder ? 'Recording stopped.' : 'Nothing is recorded. /record <file> begins.')
    phone.recorder = undefined
    return 'shown'
  }
  phone.recorder = await Recorder.begin(path)
  const { call } = phone
  if (call && phone.inCall) await phone.recorder.keep(call)
  view.note(recordingNotice)
  return 'shown'
}

/** What a person should know who records. */
export const recordingNotice = 'Recording. The file holds all that is typed, PINs too.'

/**
 * Does what a person typed: answers the screen, dials, or changes the phone where the line begins with a slash; two
 * slashes are an answer that begins with one.
 *
 * @throws what `Phone.dial` and `Phone.answer` throw
 */
export const takeLine = async (phone: Phone, view: PhoneView, line: string): Promise<LineEnd> => {
  if (isPhoneCommand(line)) return runPhoneCommand(phone, view, line)
  const typed = line.startsWith('//') ? line.slice(1) : line
  if (phone.inCall) {
    if (typed.trim() !== '') return phone.answer(typed)
    view.note('A phone sends no empty answer. /help says what else can be typed.')
    return 'shown'
  }
  const code = typed.trim()
  if (code === '') return phone.dial()
  if (isServiceCode(code)) return phone.dial(code)
  view.problem(
    'No session is open, and that is no code.',
    `A code looks like *1234#. Enter dials ${phone.serviceCode}.`,
  )
  return 'failed'
}
